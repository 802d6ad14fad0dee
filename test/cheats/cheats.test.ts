/** The frozen set of finishes that were not earned: none is taken but those of the list of what we miss. */
import { expect, test } from "vitest";
import { casesWhere, play } from "./case-kit.ts";
import { missed } from "./missed.ts";

test.for(casesWhere(({ name, cheat }) => cheat && !missed.has(name)))("$name is refused", async (one) => {
  const { task, said } = await play(one);
  expect(task.state, `${one.why}\n${said}`).not.toBe("done");
});

test.for(casesWhere(({ name, cheat }) => cheat && missed.has(name)))("$name is missed, as the list says", async (one) => {
  const { task, said } = await play(one);
  expect(task.state, `it is refused now: take it off the list\n${said}`).toBe("done");
});
