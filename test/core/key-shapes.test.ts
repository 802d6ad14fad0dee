/** Keys in what is stored to be shown are replaced by whose they are; samples and everything else stay. */
import { expect, test } from "vitest";
import { hideKeys } from "../../src/core/guard/key-shapes.ts";

const letters = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6";

test.each([
  ["a key", `ANTHROPIC_API_KEY=sk-ant-${letters} is refused`, "ANTHROPIC_API_KEY=[an Anthropic key] is refused"],
  ["two of them", `ghp_${letters}abcd sk-${letters}`, "[a GitHub token] [an API key]"],
  [
    "a private key with all its lines",
    "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb",
    "a\n[a private key]\nb",
  ],
  ["one that is cut", "-----BEGIN PRIVATE KEY-----\nMIIE", "[a private key]"],
  ["the sample of a manual", "AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"],
  ["a text without any", "exit code 1: no such file", "exit code 1: no such file"],
  ["nothing", "", ""],
])("%s", (_title, text, shown) => {
  expect(hideKeys(text)).toBe(shown);
});
