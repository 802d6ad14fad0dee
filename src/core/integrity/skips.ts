/** How tests are left out. */

/** Spellings of the runners that we know; what follows the name decides, so that a word in a sentence is none. */
const skips: readonly RegExp[] = [
  /\b(?:it|test|describe|suite|context|specify|bench)(?:\.\w+)*\.(?:skip|only|todo|fails|failing|skipIf|runIf)\b/,
  /(?:^|[^.\w])x(?:it|test|describe|context|specify)\s*\(/,
  /(?:^|[^.\w])f(?:it|describe|context)\s*\(/,
  /\.each\([^)]*\)\.(?:skip|only|todo)\s*\(/,
  /\b(?:skip|todo|only)\s*:\s*(?:true|["'`])/,
  /\bt(?:est|ctx|c)?\.(?:skip|todo)\s*\(/,
  /@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b/,
  /@?pytest\.(?:mark\.)?(?:skip|skipif|xfail)\b|@pytest\.mark\.(?:skip|skipif|xfail)\b/,
  /\bself\.skipTest\s*\(|\braise\s+(?:unittest\.)?SkipTest\b/,
  /\b[tb]\.(?:Skip|Skipf|SkipNow)\s*\(/,
  /#\[ignore\b/,
  /@(?:Disabled|Ignore)\b/,
  /\bmarkTestSkipped\s*\(|\bpending\s*\(/,
];

/** Whether a line leaves tests out. */
export function leavesOut(text: string): boolean {
  return skips.some((skip) => skip.test(text));
}
