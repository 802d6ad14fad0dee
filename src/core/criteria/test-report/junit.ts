/** JUnit XML, as vitest, jest-junit, pytest, surefire, PHPUnit, mocha's xunit and others write it. */
import { countIn, elementsIn, type ParseXml, type XmlElement } from "../../xml-element.ts";
import { type TestReport, wholeNames } from "./report.ts";

/** @param text  the document, also with other lines of a program before and after it */
export function readJunit(text: string, parseXml: ParseXml): TestReport | null {
  const document = cutOut(text);
  const root = document === null ? null : parseXml(document);
  if (root === null || (root.name !== "testsuites" && root.name !== "testsuite")) return null;
  const cases = [...elementsIn(root)].filter(({ name }) => name === "testcase");
  const passing = cases.filter((one) => outcomeOf(one) === "passed");
  const failed = cases.filter((one) => outcomeOf(one) === "failed").length;
  return {
    runner: "junit",
    passed: passing.length,
    // A suite that broke before its first test counts an error and has no test for it.
    failed: Math.max(failed, declaredFailures(root)),
    skipped: cases.length - passing.length - failed,
    assertions: assertionsOf(cases),
    names: wholeNames(passing.map(nameOf), passing.length),
  };
}

function cutOut(text: string): string | null {
  const start = text.search(/<\?xml\s|<testsuites?[\s>/]/);
  const end = Math.max(text.lastIndexOf("</testsuites>") + 13, text.lastIndexOf("</testsuite>") + 12, text.lastIndexOf("/>") + 2);
  return start < 0 || end <= start || end < 14 ? null : text.slice(start, end);
}

function outcomeOf({ attributes, children }: XmlElement): "passed" | "failed" | "skipped" {
  if (children.some(({ name }) => name === "failure" || name === "error")) return "failed";
  if (children.some(({ name }) => name === "skipped")) return "skipped";
  return /^(notrun|disabled|skipped)$/i.test(attributes["status"] ?? "") ? "skipped" : "passed";
}

/** Of the outermost suites, whose sums hold the inner ones. */
function declaredFailures(root: XmlElement): number {
  const suites = root.name === "testsuite" ? [root] : root.children.filter(({ name }) => name === "testsuite");
  const sum = suites.reduce((total, { attributes }) => total + countIn(attributes["failures"]) + countIn(attributes["errors"]), 0);
  return Math.max(sum, countIn(root.attributes["failures"]) + countIn(root.attributes["errors"]));
}

function assertionsOf(cases: readonly XmlElement[]): number | null {
  const counts = cases.map(({ attributes }) => attributes["assertions"]);
  return cases.length === 0 || counts.some((count) => count === undefined) ? null : counts.reduce((sum, count) => sum + countIn(count), 0);
}

function nameOf({ attributes }: XmlElement): string {
  return [attributes["classname"], attributes["name"]].filter((part) => part !== undefined && part !== "").join(" > ");
}
