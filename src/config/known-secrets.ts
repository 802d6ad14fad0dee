/** Which values are secrets, by the names that they have in an environment or in the settings; what is done with them is core/redaction. */
import { isObject } from "../core/json.ts";
import type { KnownSecret } from "../core/redaction/redactor.ts";
import { isSecretName } from "./child-environment.ts";
import type { Environment } from "./folders.ts";

/** Named like a secret, and a place or a name. */
const notSecret = /^(?:OLD)?PWD$|_SOCK$|_(?:FILE|PATH|DIR|NAME|ID|URL)S?$/;

/** The values of variables that are named like secrets, and the passwords in addresses. */
export function knownSecrets(env: Environment): readonly KnownSecret[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const secrets = isSecretName(name) && !notSecret.test(name.toUpperCase()) ? [value, value.trim()] : passwordsIn(value);
    return [...new Set(secrets)].map((secret) => ({ name, value: secret }));
  });
}

/** Of an MCP server's configuration: its own variables, and every header, whatever it is called. */
export function serverSecrets(server: object): Environment {
  const texts = (value: unknown) =>
    Object.entries(isObject(value) ? value : {}).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const [env, headers] = [Reflect.get(server, "env"), Reflect.get(server, "headers")];
  // `Bearer tok-1`: the word before it is none.
  const words = texts(headers).map(([name, value]) => [`${name}_TOKEN`, value.replace(/^\w+ +/, "")] as const);
  return Object.fromEntries([...texts(env), ...words]);
}

/** `postgres://user:password@host`: as it is written there, and as it is meant. */
function passwordsIn(value: string): readonly string[] {
  const [, written] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*:([^/?#\s@]+)@/i.exec(value) ?? [];
  if (written === undefined) return [];
  return [written, decode(written)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray percent sign: it is meant as it is written
  }
}
