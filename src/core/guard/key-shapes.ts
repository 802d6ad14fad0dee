/**
 * Texts that have the shape of a secret key. Each pattern is of bounded length or ends where it matches, so that a scan takes time in proportion
 * to the text. A sample is marked as one: it holds EXAMPLE, or is nothing but a stand-in.
 */
export interface KeyShape {
  readonly owner: string;
  readonly pattern: RegExp;
  /** How every match begins, in the case in which it is written; of a pattern that takes any case, in lower case. */
  readonly begins: readonly string[];
}

export const keyShapes: readonly KeyShape[] = [
  { owner: "an Anthropic key", pattern: /sk-ant-[A-Za-z0-9_-]{16,160}/g, begins: ["sk-ant-"] },
  {
    owner: "an OpenAI key",
    pattern: /(?<![A-Za-z0-9_-])sk-(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,180}/g,
    begins: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-"],
  },
  { owner: "an API key", pattern: /(?<![A-Za-z0-9_-])sk-[A-Za-z0-9]{32,64}(?![A-Za-z0-9])/g, begins: ["sk-"] },
  { owner: "a GitHub token", pattern: /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{36}/g, begins: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"] },
  { owner: "a GitHub token", pattern: /github_pat_[A-Za-z0-9_]{40,90}/g, begins: ["github_pat_"] },
  { owner: "a GitLab token", pattern: /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20}/g, begins: ["glpat-"] },
  {
    owner: "an AWS key",
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    begins: ["AKIA", "ASIA", "ABIA", "ACCA"],
  },
  {
    owner: "an AWS secret",
    pattern: /aws.{0,20}(?:secret|key).{0,24}[=:]\s{0,4}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi,
    begins: ["aws"],
  },
  {
    owner: "a Slack token",
    pattern: /xox[abeoprs]-[A-Za-z0-9-]{10,120}/g,
    begins: ["xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"],
  },
  {
    owner: "a Slack address",
    pattern: /hooks\.slack\.com\/services\/T[A-Z0-9]{6,12}\/B[A-Z0-9]{6,12}\/[A-Za-z0-9]{20,30}/g,
    begins: ["hooks.slack.com"],
  },
  { owner: "a Google key", pattern: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}/g, begins: ["AIza"] },
  { owner: "a Stripe key", pattern: /(?<![A-Za-z0-9])[rs]k_live_[A-Za-z0-9]{16,99}/g, begins: ["sk_live_", "rk_live_"] },
  { owner: "an npm token", pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}/g, begins: ["npm_"] },
  { owner: "a PyPI token", pattern: /pypi-AgE[A-Za-z0-9_-]{40,200}/g, begins: ["pypi-AgE"] },
  { owner: "a Hugging Face token", pattern: /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{34}/g, begins: ["hf_"] },
  { owner: "a SendGrid key", pattern: /SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g, begins: ["SG."] },
  { owner: "a DigitalOcean token", pattern: /do[opr]_v1_[a-f0-9]{64}/g, begins: ["doo_v1_", "dop_v1_", "dor_v1_"] },
  // It begins with digits, as much does: a stream is not searched for it, whole texts are.
  { owner: "a Telegram bot's token", pattern: /(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g, begins: [] },
  {
    owner: "an Azure key",
    pattern: /(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{43,88}={1,2}/g,
    begins: ["AccountKey=", "SharedAccessKey="],
  },
  { owner: "a private key", pattern: /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g, begins: ["-----BEGIN "] },
];

/** Bound for texts that hide one, where a verdict is waited for: each run is looked at once more, decoded. */
const mostRuns = 256;

/** Whose key the text seems to hold, also in base64 (in the first `most` runs of it) or broken over lines; null when none. */
export function findKey(text: string, most: number = mostRuns): string | null {
  return scan(text) ?? scan(joinedLines(text)) ?? scanEncoded(text, most);
}

/** With what it holds; one without an end reaches to the end of the text. */
export const wholePrivateKey = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,60}-----|$)/g;

/** The text with each key in it replaced by whose it is: for what is stored to be shown. A key that is hidden in another writing is not found here. */
export function hideKeys(text: string): string {
  return keyShapes.reduce(
    (rest, { owner, pattern }) => rest.replace(pattern, (key) => (isSample(key) ? key : `[${owner}]`)),
    text.replace(wholePrivateKey, "[a private key]"),
  );
}

function scan(text: string): string | null {
  for (const { owner, pattern } of keyShapes) {
    for (const [match] of text.matchAll(pattern)) if (!isSample(match)) return owner;
  }
  return null;
}

/** The token of GitHub's own documents, which holds no EXAMPLE, behind whichever prefix. */
const publicSample = "_16C7e42F292c6912E7710c838347Ae178B4a";

/** Public samples are written with EXAMPLE in them; a stand-in is a word for the reader, or one letter over and over. */
export function isSample(key: string): boolean {
  if (/EXAMPLE|(?:^|[-_.])(?:fake|dummy|sample|placeholder|not-a-real)(?:[-_.]|$)/i.test(key.slice(0, 120)) || key.endsWith(publicSample))
    return true;
  const body = key.slice(key.search(/[-_]/) + 1).replace(/^(?:ant-)?api\d\d/, "");
  return /^(?:[x*.0_-]|your|my|key|here|api|ant|proj|placeholder|redacted|changeme|token|secret|replace|with|me)+$/i.test(body);
}

/** A text cut in two: over lines, or by a sum of strings. */
function joinedLines(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(/^[+.]? ?["'`]/, "")
        .replace(/["'`]? ?[+\\.]?$/, ""),
    )
    .join("")
    .replace(/["'`] ?\+ ?["'`]/g, "");
}

function scanEncoded(text: string, most: number): string | null {
  let runs = 0;
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{24,4096}={0,2}/g)) {
    runs += 1;
    if (runs > most) return null;
    const owner = scan(decodeBase64(run));
    if (owner !== null) return owner;
  }
  return null;
}

/** The bytes as Latin letters; empty where it is no base64. */
function decodeBase64(text: string): string {
  try {
    const plain = text.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "");
    return atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
  } catch {
    return ""; // not base64: nothing is hidden in it
  }
}
