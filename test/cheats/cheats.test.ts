/** The frozen set of finishes that were not earned: none is taken. */
import { expect, test } from "vitest";
import { casesWhere, play } from "./case-kit.ts";

test.for(casesWhere(({ cheat }) => cheat))("$name is refused", async (one) => {
  const { task, said } = await play(one);
  expect(task.state, `${one.why}\n${said}`).not.toBe("done");
});
