/** Honest twins of the frozen set, those at even places: each is taken. In two files, so that two workers share them. */
import { expect, test } from "vitest";
import { casesWhere, play } from "./case-kit.ts";

const twins = casesWhere(({ cheat }) => !cheat).filter((_one, place) => place % 2 === 0);

test.for(twins)("$name is taken", async (one) => {
  const { task, said } = await play(one);
  expect(task.state, `${one.why}\n${said}`).toBe("done");
});
