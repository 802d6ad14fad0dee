/** Which requests of a job are the same one when it is tried again. */
import { expect, test } from "vitest";
import { requestHash } from "../../src/gateway/models/request-hash.ts";

const bytes = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const isSame = (one: unknown, other: unknown, pointers: readonly string[]) =>
  requestHash(bytes(one), pointers) === requestHash(bytes(other), pointers);

test.each<[string, unknown, unknown, readonly string[], boolean]>([
  ["the same bytes are the same request", { model: "m", n: 1 }, { model: "m", n: 1 }, [], true],
  ["another byte is another request", { model: "m", n: 1 }, { model: "m", n: 2 }, [], false],
  ["without declared fields even another order is another request", '{"a":1,"b":2}', '{"b":2,"a":1}', [], false],
  ["a declared field does not count", { model: "m", user: "a" }, { model: "m", user: "b" }, ["/user"], true],
  ["nor does one deep inside", { metadata: { user_id: "1", k: 2 } }, { metadata: { user_id: "9", k: 2 } }, ["/metadata/user_id"], true],
  [
    "what stands beside it counts",
    { metadata: { user_id: "1", k: 2 } },
    { metadata: { user_id: "9", k: 3 } },
    ["/metadata/user_id"],
    false,
  ],
  ["one in a list", { messages: [{ id: 1, t: "x" }] }, { messages: [{ id: 2, t: "x" }] }, ["/messages/0/id"], true],
  ["names with slashes and tildes", { "a/b~": 1 }, { "a/b~": 2 }, ["/a~1b~0"], true],
  ["a field that is not there changes nothing", { a: 1 }, { a: 1 }, ["/b/c", "/a/x"], true],
  ["inherited names are no fields", { a: 1 }, { a: 1 }, ["/constructor/prototype"], true],
  ["what is no JSON is compared by its bytes", "{", "[", ["/a"], false],
])("%s", (_title, one, other, pointers, same) => {
  expect(isSame(one, other, pointers)).toBe(same);
});
