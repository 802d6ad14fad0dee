/** What the demo's project gains with each task: real files with real tests, so that the criteria have something to run. */
export function work(task: string): Readonly<Record<string, string>> {
  return files[task] ?? {};
}

const test = (name: string, body: string) =>
  `import { test } from "node:test";\nimport { strictEqual } from "node:assert";\n${name}\n${body}\n`;

const files: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  T1: {
    "src/slugify.mjs": 'export const slugify = (text) => text.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");\n',
    "test/slugify.test.mjs": test(
      'import { slugify } from "../src/slugify.mjs";',
      'test("words are joined by dashes", () => strictEqual(slugify(" Night Watch! "), "night-watch"));',
    ),
  },
  T2: {
    "src/truncate.mjs": 'export const truncate = (text, length) => (text.length <= length ? text : text.slice(0, length - 1) + "…");\n',
    "test/truncate.test.mjs": test(
      'import { truncate } from "../src/truncate.mjs";',
      'test("a long text ends in an ellipsis", () => strictEqual(truncate("midwatch", 4), "mid…"));',
    ),
  },
  T3: {
    "src/sum.mjs": "export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);\n",
    "test/sum.test.mjs": test('import { sum } from "../src/sum.mjs";', 'test("numbers add up", () => strictEqual(sum([1, 2, 3]), 6));'),
  },
  T4: {
    "src/clamp.mjs": "export const clamp = (number, low, high) => Math.min(high, Math.max(low, number));\n",
    "test/clamp.test.mjs": test(
      'import { clamp } from "../src/clamp.mjs";',
      'test("a number stays in its bounds", () => strictEqual(clamp(11, 0, 10), 10));',
    ),
  },
  T5: {
    "src/price.mjs":
      'import { currency } from "./currency.mjs";\nexport const price = (cents) => (cents / 100).toFixed(2) + " " + currency;\n',
    "test/price.test.mjs": test(
      'import { price } from "../src/price.mjs";\nimport { currency } from "../src/currency.mjs";',
      'test("a price names its currency", () => strictEqual(price(1250), "12.50 " + currency));',
    ),
  },
};

export const tasks = `# Five small tasks

- [ ] T1 Add slugify with its test
  - command: node --test test/slugify.test.mjs
- [ ] T2 Add truncate with its test
  - command: node --test test/truncate.test.mjs
- [ ] T3 Add sum with its test
  - command: node --test test/sum.test.mjs
- [ ] T4 Add clamp with its test
  - command: node --test test/clamp.test.mjs
- [ ] T5 Print prices in the currency that the person chooses
  - command: node --test test/price.test.mjs
  - file: src/currency.mjs exists
  - after: T1
`;
