/** The demo leaves nothing behind, however it ends. Its whole night is played by `npm run demo`. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeNight } from "./kit.ts";
import { eventually, finish } from "./program.ts";
import { findStrays } from "./strays.ts";

test.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s in the middle of the demo ends its processes and removes its folder",
  async (signal) => {
    const night = makeNight();
    const place = join(night.folder, "tmp");
    mkdirSync(place);
    const demo = night.start(["demo"], { env: { TMPDIR: place } });
    await eventually(() => demo.stderr.includes("window 1"), "the first window");
    demo.signal(signal);
    expect(await finish(demo)).toMatchObject({ code: 130 });
    expect([readdirSync(place), findStrays(night.folder)]).toEqual([[], []]);
  },
);
