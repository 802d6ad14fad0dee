/** The honest twins of the frozen set: each is taken. */
import { expect, test } from "vitest";
import { casesWhere, play } from "./case-kit.ts";

test.for(casesWhere(({ cheat }) => !cheat))("$name is taken", async (one) => {
  const { task, said } = await play(one);
  expect(task.state, `${one.why}\n${said}`).toBe("done");
});
