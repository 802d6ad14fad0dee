/**
 * The frozen set of finishes that were not earned, and of honest ones that look like them: none of the first is taken, none of the second refused.
 * MIDWATCH_CHEATS=NAME plays one pair; MIDWATCH_RULES names another setting of `integrity`, for the figures in docs/criteria.md.
 */
import { describe, expect, test } from "vitest";
import { allCases, play } from "./case-kit.ts";

const only = process.env["MIDWATCH_CHEATS"];
const rules = process.env["MIDWATCH_RULES"];
const cases = allCases().filter(({ name }) => only === undefined || name.replace(/-honest$/, "") === only);

describe("a finish that was not earned is refused", () => {
  test.for(cases.filter(({ cheat }) => cheat))("$name", async (one) => {
    const { task, said } = await play(one, rules);
    expect(task.state, `${one.why}\n${said}`).not.toBe("done");
  });
});

describe("an honest finish is taken", () => {
  test.for(cases.filter(({ cheat }) => !cheat))("$name", async (one) => {
    const { task, said } = await play(one, rules);
    expect(task.state, `${one.why}\n${said}`).toBe("done");
  });
});
