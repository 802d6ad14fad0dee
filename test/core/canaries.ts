/** F32: twenty secrets that nobody has, and the ways in which one may be written on its way out. */

/** Of every sort of letters: words, numbers, base64, hex, what URLs, JSON, XML and shells escape, other scripts. */
export const canaries: readonly string[] = [
  "tok-7f3a91c2e5d84b60",
  "Zx9+Qw/8Rt==Lm4Np2",
  "correct horse battery staple",
  `q"uo"te'd&<mark>up`,
  "back\\slash\\new\\run",
  "sk-ant-api03-" + "Ab1_".repeat(20),
  ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_"),
  ["AKIA", "QWERTYUIOPASDFGH"].join(""),
  "p%40ss=w?rd#1;x",
  "0123456789abcdef0123456789abcdef",
  "senha-é-çã-ü-segredo",
  "$HOME`id`$(x)!",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl",
  "-----one-line-key-----",
  "   padded with spaces  ",
  "UPPER-CASE-SECRET-42",
  "xoxb-123456789012-abcdefghijkl",
  "nnnnrrrrnnnnrrrr-1",
  "/path/like/secret/value",
  "a".repeat(12),
];

const bytesOf = (text: string) => Buffer.from(text, "utf8");
const halves = (text: string) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)] as const;
const base64At = (offset: number) => (text: string) =>
  Buffer.concat([Buffer.from("xyz").subarray(0, offset), bytesOf(text), Buffer.from("!?")]).toString("base64");
const entity: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const encodings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "in base64": base64At(0),
  "in base64, one byte further": base64At(1),
  "in base64, two bytes further": base64At(2),
  "in base64 for URLs": (text) => bytesOf(text).toString("base64url"),
  "in hex": (text) => bytesOf(text).toString("hex"),
  "in a URL": encodeURIComponent,
  "in JSON": (text) => JSON.stringify(text),
  "in JSON in JSON": (text) => JSON.stringify(JSON.stringify(text)),
  "in XML": (text) => text.replace(/[&<>"']/g, (letter) => entity[letter] ?? letter),
  "quoted for a shell": (text) => `'${text.replaceAll("'", "'\\''")}'`,
  "in upper case": (text) => text.toUpperCase(),
  "in lower case": (text) => text.toLowerCase(),
  "over two lines": (text) => halves(text).join("\n"),
  "over two lines, in JSON": (text) => JSON.stringify(halves(text).join("\n")),
  "in a key's name": (text) => JSON.stringify({ [text]: 1 }),
  "in a path": (text) => `/tmp/${text}/x`,
};

/** What of a secret must not be left: its writing without what stands around it, less the letters at the ends of base64 that hold other bytes as well. */
export function remains(canary: string, text: string): readonly string[] {
  const bare = (one: string) => one.replace(/[\\\r\n]/g, "").toLowerCase();
  const left = bare(text);
  const pieces = [canary, canary.slice(0, 8), canary.slice(-8), bytesOf(canary).toString("hex").slice(4, 20)];
  return pieces.map(bare).filter((piece) => piece.trim().length >= 6 && left.includes(piece));
}
