/** F32: a known secret is found in any writing and however its text is cut, and a text without one stays as it is. docs/spec/secrets.md */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor, type Redactor } from "../../src/core/redaction/redactor.ts";
import { canaries, encodings, remains } from "./canaries.ts";

const secrets = canaries.map((value, index) => ({ name: `SECRET_${index}`, value }));
const all = createRedactor(secrets);
const none = createRedactor([]);
const around = (text: string) => `{"before": 1} ${text} and after`;

function inPieces(redactor: Redactor, bytes: Uint8Array, cuts: readonly number[]): string {
  const stream = redactor.stream();
  const places = [0, ...cuts, bytes.length];
  const out = places.slice(1).map((end, index) => stream.push(bytes.subarray(places[index], end)));
  return Buffer.concat([...out, stream.end()]).toString("utf8");
}

const rows = canaries.flatMap((canary, index) =>
  Object.entries(encodings).map(([how, write]) => ({ canary, index, how, text: around(write(canary)) })),
);

test(`${canaries.length} secrets in ${Object.keys(encodings).length} writings are taken out of a text, of JSON, of a value and of a stream`, () => {
  const sinks: Readonly<Record<string, (text: string) => string>> = {
    text: all.text,
    json: all.json,
    value: (text) => JSON.stringify(all.value({ a: [text], [text]: { b: text } })),
    stream: (text) => inPieces(all, Buffer.from(text), []),
    "a long line": (text) => inPieces(all, Buffer.from(`${"x".repeat(70_000)} ${text} ${"y".repeat(70_000)}`), [65_536, 131_072]),
  };
  const left = rows.flatMap(({ canary, how, text }) =>
    Object.entries(sinks).flatMap(([sink, redact]) => {
      const out = redact(text);
      return remains(canary, out).length > 0 || !out.includes("[redacted SECRET_")
        ? [`${canary} ${how} in ${sink}: ${out.slice(0, 200)}`]
        : [];
    }),
  );
  expect(left).toEqual([]);
});

test("a stream that is cut at any place says the same as one that is not", () => {
  const left = rows.flatMap(({ canary, how, text }) => {
    const bytes = Buffer.from(text);
    const whole = inPieces(all, bytes, []);
    return Array.from(bytes, (_, cut) => cut).flatMap((cut) => {
      const out = inPieces(all, bytes, [cut]);
      return out === whole ? [] : [`${canary} ${how} cut at ${cut}: ${out}`];
    });
  });
  expect(left.slice(0, 3)).toEqual([]);
});

test("one byte at a time comes to the same, and nothing is held back longer than it must be", () => {
  const text = `begin tok-7f3a91c2 no, tok-7f3a91c2e5d84b60 end. task-1 ${"z".repeat(20)}`;
  const stream = all.stream();
  const pieces = Array.from(Buffer.from(text), (byte) => stream.push(Uint8Array.of(byte)));
  expect(Buffer.concat(pieces).toString()).toMatch(/^begin tok-7f3a91c2 no, \[redacted SECRET_0\] end\. task-1 z{10,}$/);
  expect(Buffer.concat([...pieces, stream.end()]).toString()).toBe(
    `begin tok-7f3a91c2 no, [redacted SECRET_0] end. task-1 ${"z".repeat(20)}`,
  );
});

test("whatever bytes come in whatever pieces, without a secret they go out as they came", () => {
  const bytes = fc.array(fc.constantFrom(0x5c, 0x6e, 0x0a, 0x20, 0x73, 0x6b, 0x2d, 0x61, 0x74, 0x6f, 0, 0xff), { maxLength: 200 });
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(200), { maxLength: 5 }), (list, cuts) => {
      const whole = Buffer.from(list.filter((byte, at) => !(byte === 0x61 && list[at - 1] === 0x61)));
      const sorted = cuts.filter((cut) => cut <= whole.length).sort((one, other) => one - other);
      const stream = all.stream();
      const places = [0, ...sorted, whole.length];
      const out = places.slice(1).map((end, index) => stream.push(whole.subarray(places[index], end)));
      expect(Buffer.concat([...out, stream.end()]).equals(whole)).toBe(true);
    }),
  );
});

const key = ["sk-ant", "api03", `${"B".repeat(93)}AA`].join("-");
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEow".repeat(300)}\n-----END RSA PRIVATE KEY-----`;

test.each([
  ["a key of a known shape", `x ${key} y`, "x [an Anthropic key] y"],
  ["one at the very end", key, "[an Anthropic key]"],
  ["a private key with all that it holds", `a\n${pem}\nb`, "a\n[a private key]\nb"],
  ["one without an end", `a ${pem.slice(0, 500)}`, "a [a private key]"],
  ["an AWS secret by what stands before it", `aws_secret_access_key = "${"Ab1/".repeat(10)}"`, '[an AWS secret]"'],
  ["a sample", "AKIAIOSFODNN7EXAMPLE and sk-ant-your-key-here", "AKIAIOSFODNN7EXAMPLE and sk-ant-your-key-here"],
  [
    "words that only begin like one",
    "task-1 disk-2 msg.length draws ghp_short npm_config",
    "task-1 disk-2 msg.length draws ghp_short npm_config",
  ],
])("%s, known or not by value, in a text and in a stream cut at any place", (_title, text, expected) => {
  expect(none.text(text)).toBe(expected);
  const bytes = Buffer.from(text);
  const outs = new Set(Array.from({ length: Math.min(bytes.length, 400) }, (_, cut) => inPieces(none, bytes, [cut])));
  expect([...outs]).toEqual([expected]);
});

test("JSON stays JSON, line by line, and numbers stay numbers", () => {
  const redactor = createRedactor([
    { name: "PIN", value: "12345678" },
    { name: "QUOTE", value: '"}{secret' },
  ]);
  const line = JSON.stringify({ at: 12345678, text: 'pin 12345678 "}{secret', list: ["x"] });
  expect(redactor.json(`${line}\n{"kind":"result"}\n`)).toBe(
    `${JSON.stringify({ at: 12345678, text: "pin [redacted PIN] [redacted QUOTE]", list: ["x"] })}\n{"kind":"result"}\n`,
  );
});

test("what is given again comes out as it is, and values that are no plain data are left alone", () => {
  const value = { at: new Date(0), bytes: Buffer.from(canaries[0] ?? ""), list: [1, null, "text"] };
  expect(all.value(value)).toBe(value);
  const once = all.text(`x ${canaries[0]} y`);
  expect([once, all.text(once)]).toEqual(["x [redacted SECRET_0] y", "x [redacted SECRET_0] y"]);
});

test("a value of which too little is left once escapes are passed over is no secret either", () => {
  const redactor = createRedactor([{ name: "KEY", value: "\\n\\n\\n\n\n\n\n\nab" }]);
  const text = "a table of absent abbreviations";
  expect([redactor.text(text), inPieces(redactor, Buffer.from(text), [3])]).toEqual([text, text]);
});

test("short values are no secrets: they would be found in every other word", () => {
  const redactor = createRedactor([
    { name: "KEY", value: "short" },
    { name: "LONG", value: "long enough" },
    { name: "NONE", value: "" },
  ]);
  expect([redactor.text("short text"), redactor.names()]).toEqual(["short text", { known: ["LONG"], tooShort: ["KEY"] }]);
});
