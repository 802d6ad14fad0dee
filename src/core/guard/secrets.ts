/** Which files hold secrets, by their names, and which commands read them or pack the tree. */
import { type Argument, filled } from "./argument.ts";
import { baseName, isWithin, resolvePath } from "./paths.ts";
import { pathsOf, type Scene } from "./scene.ts";

const secretNames = new Set([
  ".netrc",
  ".pgpass",
  ".git-credentials",
  ".credentials.json",
  "credentials.json",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
]);
const secretEnds = [".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".ppk", ".kdbx"];
/** Samples of an environment file hold no secret. */
const sampleEnds = ["example", "sample", "template", "dist", "defaults", "schema", "d.ts", "ts", "js"];
const secretFolders = ["/.ssh/", "/.gnupg/", "/.aws/", "/.kube/", "/.config/gh/", "/.config/gcloud/"];
export const packers: ReadonlySet<string> = new Set(["tar", "zip", "7z", "7za", "cpio", "pax", "bsdtar", "gtar", "dar"]);

/** The name is one of a file that usually holds a secret: `.env`, a private key, stored credentials. */
export function isSecretFile(path: string): boolean {
  const lower = path.toLowerCase();
  const name = baseName(lower);
  if (name === ".env" || name.startsWith(".env.")) return !sampleEnds.some((end) => name.endsWith(`.${end}`));
  if (lower === "/etc/shadow" || lower.endsWith("/.docker/config.json")) return true;
  if (secretNames.has(name) || secretEnds.some((end) => name.endsWith(end))) return true;
  return secretFolders.some((folder) => `/${lower}/`.includes(folder)) && !name.endsWith(".pub") && name !== "known_hosts";
}

/** One of the arguments names a secret file, one of our state files, or a file that was filled from such. */
export function readsSecret(args: readonly Argument[], scene: Scene): boolean {
  return args.some((argument) => namesSecret(argument, scene));
}

/** The argument, or what follows `=` or `@` in it, names a secret file. */
export function namesSecret(argument: Argument, scene: Scene): boolean {
  const text = filled(argument, "?");
  if (text.length > 4_096) return false;
  return [text, ...text.split(/[=@;,]/).slice(1)].some((path) => path !== "" && (isSecretFile(path) || isNoted(path, scene)));
}

function isNoted(text: string, scene: Scene): boolean {
  return pathsOf(text, scene).some((path) => scene.files.get(path)?.isSecret === true || isWithin(path, scene.context.state));
}

/** The command packs the whole tree, the home folder, or the history of the repository. */
export function packsTree(name: string, args: readonly Argument[], scene: Scene): boolean {
  if (name === "git") return /^(archive|bundle)$/.test(args[0]?.text ?? "");
  return packers.has(name) && args.some((argument) => isTree(argument, scene));
}

/** The argument means the working tree as a whole, or something that holds it. */
export function isTree(argument: Argument, scene: Scene): boolean {
  const text = argument.text ?? "";
  if (text === "" || text.startsWith("-")) return false;
  if (text === "*" || text === "./*") return true;
  const { top, home } = scene.context;
  return pathsOf(text, scene).some((path) => isWithin(top, path) || resolvePath("/", path) === resolvePath("/", home));
}
