/**
 * How a known secret may be written: as it is, in base64 at each offset, as hex, and escaped for URLs, JSON, XML or a shell. Letters of either case, line ends, backslashes and
 * the two alphabets of base64 are no forms of their own: the matcher takes them for the same (matcher.ts). Bytes are Latin letters here, one a byte.
 */

/** Shorter ones would be found in every other word. */
export const minSecretLength = 8;

export interface SecretForm {
  /** Bytes as Latin letters. */
  readonly text: string;
  /** Groups of base64 reach over the ends of what they hold: so many letters beside it may still tell some bits of it. */
  readonly slack: number;
}

const base64Slack = 4;

export function secretForms(secret: string): readonly SecretForm[] {
  // Of Latin letters either case is the same to the matcher; of others each is a form.
  const cases = /[^ -~]/.test(secret) ? [secret, secret.toUpperCase(), secret.toLowerCase()] : [secret];
  const encoded = [0, 1, 2].map((offset) => base64Middle(utf8(secret), offset));
  const percent = encoded.map((text) => text.replaceAll("+", "%2B").replaceAll("/", "%2F"));
  return [
    ...[...new Set(cases.flatMap(writtenForms))].map((text) => ({ text, slack: 0 })),
    ...[...new Set([...encoded, ...percent])].map((text) => ({ text, slack: base64Slack })),
  ];
}

function writtenForms(secret: string): readonly string[] {
  const bytes = utf8(secret);
  return [
    bytes,
    // A backslash before an n is a line end to the matcher, and in upper case it is none.
    bytes.replaceAll("\\", ""),
    hex(bytes),
    ...percentForms(secret),
    ...[...jsonForms(secret), ...xmlForms(secret)].map(utf8),
    bytes.replaceAll("'", "'\\''"),
    bytes.replaceAll("'", `'"'"'`),
  ];
}

/** The bytes of a text, as Latin letters. */
export function utf8(text: string): string {
  return latin(new TextEncoder().encode(text));
}

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function hex(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/** What is the same whatever stands before and after: the letters that hold bits of the secret alone. */
function base64Middle(bytes: string, offset: number): string {
  const whole = btoa("\0".repeat(offset) + bytes);
  return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

/** As encodeURIComponent writes it, as the stricter RFC does, as forms do, and every byte. */
function percentForms(secret: string): readonly string[] {
  const usual = encodeURIComponent(secret.toWellFormed());
  const strict = usual.replace(/[!'()*~_.-]/g, (letter) => `%${hex(letter)}`);
  const all = latin(new TextEncoder().encode(secret)).replace(/[\s\S]/g, (byte) => `%${hex(byte)}`);
  return [usual, usual.replace(/[!'()*]/g, (letter) => `%${hex(letter)}`), usual.replaceAll("%20", "+"), strict, all];
}

/** Some writers keep markup out of JSON, and some write Latin letters only. */
function jsonForms(secret: string): readonly string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  const written = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return [plain, plain.replace(/[<>&'/=+]/g, written), plain.replace(/[^ -~]/g, written), plain.replace(/[^ -~]|[<>&'/=+]/g, written)];
}

const entities: Readonly<Record<string, readonly [string, string, string]>> = {
  "&": ["&amp;", "&#38;", "&#x26;"],
  "<": ["&lt;", "&#60;", "&#x3c;"],
  ">": ["&gt;", "&#62;", "&#x3e;"],
  '"': ["&quot;", "&#34;", "&#x22;"],
  "'": ["&apos;", "&#39;", "&#x27;"],
};

/** In text no quotes need to be escaped; where they are, by name or number. */
function xmlForms(secret: string): readonly string[] {
  const write = (letters: RegExp, how: 0 | 1 | 2) => secret.replace(letters, (letter) => entities[letter]?.[how] ?? letter);
  return [
    write(/[&<>]/g, 0),
    write(/[&<>"]/g, 0),
    write(/[&<>"']/g, 0),
    write(/[&<>"']/g, 1),
    write(/[&<>"']/g, 2),
    write(/[&<>"]/g, 0).replaceAll("'", "&#39;"),
  ];
}
