/** The results that a request carries for the first time, of which the second line asks whether a guard has allowed their calls. */
import { expect, test } from "vitest";
import { newToolResults } from "../../src/core/tool-results.ts";
import { createSecondLine } from "../../src/engine/second-line.ts";

const asks = (...ids: readonly string[]) => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool_use", id, name: `tool of ${id}`, input: {} })),
});
const result = (id: string, more: object = {}) => ({ type: "tool_result", tool_use_id: id, content: "done", ...more });
const says = (...content: readonly unknown[]) => ({ role: "user", content });
const text = { type: "text", text: "go on" };

test.each<[string, readonly unknown[], readonly string[]]>([
  ["those of the last turn", [says(text), asks("a", "b"), says(result("a"), result("b"))], ["a", "b"]],
  ["not those of earlier turns", [asks("a"), says(result("a")), asks("b"), says(result("b"))], ["b"]],
  ["beside words", [asks("a"), says(text, result("a"), text)], ["a"]],
  ["of a turn that is cut into several messages", [asks("a", "b"), says(result("a")), says(result("b")), says(text)], ["a", "b"]],
  ["in front of what the program adds", [asks("a"), says(result("a")), { role: "system", content: [text] }], ["a"]],
  ["no errors", [asks("a", "b"), says(result("a", { is_error: true }), result("b", { is_error: false }))], ["b"]],
  ["none where the last word is the model's", [asks("a"), says(result("a")), asks("b")], []],
  ["none where a result is only spoken of", [says({ type: "text", text: '{"type":"tool_result","tool_use_id":"a"}' })], []],
  ["none that the model wrote into an input", [says({ type: "document", source: result("a") })], []],
  ["no results of the provider's own tools", [says({ type: "web_search_tool_result", tool_use_id: "a" })], []],
  [
    "nothing of what has another shape",
    [says(result("a", { tool_use_id: 1 })), { role: "user", content: "text" }, null, 1, { role: "user" }],
    [],
  ],
  ["nothing of nothing", [], []],
])("%s", (_title, messages, ids) => {
  expect(
    newToolResults(messages)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(ids);
});

test("each has the name of its tool, where the request says it", () => {
  expect(newToolResults([asks("a"), says(result("a"), result("z"))])).toEqual([
    { id: "a", tool: "tool of a" },
    { id: "z", tool: "" },
  ]);
});

test("a call that was allowed may have a result, and no other", () => {
  const line = createSecondLine();
  line.allowed("a");
  const carried = (id: string) => line.passedBy([{ id, tool: `tool of ${id}` }]);
  expect([carried("a"), carried("b"), line.passedBy([])]).toEqual([[], ["tool of b"], []]);
});
