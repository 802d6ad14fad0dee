/**
 * A completion criterion as a person writes it, in one line: `LABEL: SUBJECT CONDITION, CONDITION`. A code span or a `$` makes a command of a line without
 * a label; anything else is prose. A line that has one of our labels and cannot be understood is malformed, never prose: prose is not checked, so a slip
 * of the pen would pass for a check that holds.
 */
import { parseApproval } from "./approval.ts";
import { parseCommand } from "./command.ts";
import { parseCost } from "./cost.ts";
import { parseCoverage } from "./coverage.ts";
import type { CriterionParse } from "./criterion.ts";
import { parseFile } from "./file.ts";
import { parseGit } from "./git.ts";
import { parseHttp } from "./http.ts";
import { parseJson } from "./json.ts";
import { parseLint } from "./lint.ts";
import { parseTests } from "./tests.ts";
import { codeSpan, foldWords, unwrapBold } from "./words.ts";

type ParseKind = (text: string, value: string) => CriterionParse;

const kinds: ReadonlyMap<string, ParseKind> = new Map(
  [
    [parseCommand, ["run", "command", "comando"]],
    [parseFile, ["file", "arquivo"]],
    [parseTests, ["tests", "test", "testes", "teste"]],
    [parseLint, ["lint"]],
    [parseHttp, ["http"]],
    [parseJson, ["json"]],
    [parseGit, ["git"]],
    [parseCoverage, ["coverage", "cobertura"]],
    [parseCost, ["cost", "custo"]],
    [parseApproval, ["approval", "aprovacao"]],
  ].flatMap(([parse, labels]) => (labels as readonly string[]).map((label) => [label, parse as ParseKind] as const)),
);

/** The labels in English, for messages. */
export const criterionLabels = [
  "command",
  "run",
  "file",
  "tests",
  "lint",
  "http",
  "json",
  "git",
  "coverage",
  "cost",
  "approval",
  "from N",
] as const;

/** Reads one criterion. Total: every text is a criterion or is malformed with the reason. */
export function parseCriterion(text: string): CriterionParse {
  const own = text.trim();
  const span = codeSpan(own);
  const line = span ?? unwrapBold(own);
  const from = readFrom(line);
  if (from !== null) return withFrom(own, from);
  return parseLabelled(own, line) ?? (span !== null || /^\$\s/.test(own) ? parseCommand(own, line) : { kind: "prose", text: own });
}

/** Null = it has no label of ours. */
function parseLabelled(own: string, line: string): CriterionParse | null {
  const label = /^[*_]{0,2}(\p{L}[\p{L}\p{M}]{2,14})[*_]{0,2} ?:[*_]{0,2}/u.exec(line);
  const word = foldWords(label?.[1] ?? "");
  const parse = kinds.get(word);
  const value = line.slice(label?.[0].length ?? 0);
  // `http://…` is an address and no label.
  if (parse === undefined || (word === "http" && value.startsWith("//"))) return null;
  return parse(own, value.trim());
}

interface From {
  readonly window: number | null;
  readonly rest: string;
}

const fromForms = "write `from N: LABEL: …`, with the number of the window from which on it counts, from 1";

const fromLabel = /^[*_]{0,2}(?:from(?: window)?|a partir d[ea](?: janela)?)\s+(\S{1,12}?)[*_]{0,2} ?:[*_]{0,2}\s*/i;

/** `from 5: lint: …`; only where a criterion of ours follows, since `From here: …` is prose. */
function readFrom(line: string): From | null {
  const match = fromLabel.exec(line);
  if (match === null) return null;
  const rest = line.slice(match[0].length);
  const window = /^[1-9]\d{0,5}$/.test(match[1] ?? "") ? Number(match[1]) : null;
  const isOurs = parseLabelled(rest, rest) !== null || codeSpan(rest) !== null || fromLabel.test(rest);
  return isOurs || /^\d+$/.test(match[1] ?? "") ? { window, rest } : null;
}

function withFrom(own: string, { window, rest }: From): CriterionParse {
  const inner = fromLabel.test(rest) ? null : parseCriterion(rest);
  if (window === null || inner === null) return { kind: "malformed", text: own, reason: fromForms };
  if (inner.kind === "malformed") return { ...inner, text: own };
  if (inner.kind === "prose") return { kind: "malformed", text: own, reason: `prose is never measured: ${fromForms}` };
  return { ...inner, text: own, fromWindow: window };
}
