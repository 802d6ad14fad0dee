/** How tests are left out. What is left out on a condition is told apart: a test that needs a program that is not here is honest. */

/** Spellings of the runners that we know; what follows the name decides, so that a word in a sentence is none. */
const always: readonly RegExp[] = [
  /\b(?:it|test|describe|suite|context|specify|bench)(?:\.\w+)*\.(?:skip|only|todo|fails|failing)\b(?!\s*\(\s*[^"'`\s)])/,
  /(?:^|[^.\w])x(?:it|test|describe|context|specify)\s*\(/,
  /(?:^|[^.\w])f(?:it|describe|context)\s*\(/,
  /\.each\([^)]*\)\.(?:skip|only|todo)\s*\(/,
  /\b(?:skip|todo|only)\s*:\s*(?:true|["'`])/,
  /\bt(?:est|ctx|c)?\.(?:skip|todo)\s*\((?:\s*["'`)])/,
  /@(?:unittest\.)?(?:skip|expectedFailure)\b(?!If|Unless)/,
  /\bpytest\.(?:skip|xfail)\s*\(|@pytest\.mark\.(?:skip|xfail)\b/,
  /\bself\.skipTest\s*\(|\braise\s+(?:unittest\.)?SkipTest\b/,
  /\b[tb]\.(?:Skip|Skipf|SkipNow)\s*\(/,
  /#\[ignore\b/,
  /@(?:Disabled|Ignore)\b/,
  /\bmarkTestSkipped\s*\(/,
  /\b(?:skipIf|skipif)\s*\(\s*(?:true|True|1)\b|\b(?:runIf|skipUnless)\s*\(\s*(?:false|False|0)\b/,
];

const onCondition: readonly RegExp[] = [
  /\.(?:skipIf|runIf)\s*\(/,
  /@(?:unittest\.)?skip(?:If|Unless)\b/,
  /\bpytest\.mark\.skipif\b/,
  /\b(?:t(?:est|ctx|c)?|context|it|describe)\.(?:skip|todo)\s*\(/,
];

/** Whether a line leaves tests out: null = it does not. What stands in quotes is a text about tests. */
export function leavesOut(text: string): "always" | "on-condition" | null {
  const bare = text.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, "$1$1");
  if (always.some((skip) => skip.test(bare))) return "always";
  return onCondition.some((skip) => skip.test(bare)) ? "on-condition" : null;
}
