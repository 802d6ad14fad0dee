/** `json: package.json /version is "2.0.0"`. */
import type { Check } from "../evidence.ts";
import { faultOf, readConditions } from "./conditions.ts";
import type { CriterionParse, JsonCriterion, PointedExpectation } from "./criterion.ts";
import { pointedFault, pointedForms, readPointed } from "./json-value.ts";
import { pathFault } from "./path.ts";

export function parseJson(text: string, value: string): CriterionParse {
  const read = readConditions(value);
  if (read.kind === "fault") return { kind: "malformed", text, reason: read.reason };
  const [[file, ...first] = [], ...rest] = read.value;
  const unsafe = pathFault(file?.value ?? "");
  if (file === undefined || unsafe !== null) return { kind: "malformed", text, reason: unsafe ?? "it names no file" };
  const expect: PointedExpectation[] = [];
  if (first.length === 0) return { kind: "malformed", text, reason: `after the file write ${pointedForms}` };
  for (const condition of [first, ...rest]) {
    const pointed = readPointed(condition);
    if (pointed.kind === "fault") return { kind: "malformed", text, reason: faultOf(pointed) };
    expect.push(pointed.value);
  }
  return { kind: "json", text, path: file.value, expect };
}

/** @param content  the file's text; null = it is not there */
export function judgeJson({ path, expect }: JsonCriterion, content: string | null): Check {
  if (content === null) return { verdict: "fails", detail: `${path} is not there` };
  const document = readDocument(content);
  if (document.kind === "none") return { verdict: "fails", detail: `${path} is no JSON: ${document.reason}` };
  const faults = expect.flatMap((one) => pointedFault(document.value, one) ?? []);
  return faults.length === 0
    ? { verdict: "holds", detail: `${path} is so` }
    : { verdict: "fails", detail: `${path}: ${faults.join("; ")}` };
}

export function readDocument(
  content: string,
): { readonly kind: "json"; readonly value: unknown } | { readonly kind: "none"; readonly reason: string } {
  try {
    return { kind: "json", value: JSON.parse(content.replace(/^\uFEFF/, "")) };
  } catch (error) {
    return { kind: "none", reason: error instanceof Error ? error.message.slice(0, 200) : String(error) };
  }
}
