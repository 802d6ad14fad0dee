/**
 * What a window brought into the repository is searched for secrets: files and paths, messages, tags, notes, the stash, names of refs (docs/spec/secrets.md). A secret that
 * is out of the history again, since the agent amended it away, is none; one that was committed and removed by a later commit is one.
 */
import type { CommittedSecret } from "../core/committed-secret.ts";
import { findSecret, newLines } from "../core/redaction/find-secret.ts";
import type { AddedObject, RefSpan, Refs } from "../ports/history.ts";
import type { RunContext } from "./context.ts";

/** More than that nobody reads. */
const mostFound = 20;

/** To be asked when a window opens. */
export async function noteRefs({ ports, refsAtStart }: RunContext): Promise<void> {
  refsAtStart.current = await ports.history.refs();
  refsAtStart.searched = null;
}

/**
 * Since the window opened; of one whose supervisor died, since the commit that it began with. Never rejects.
 * @param base  that commit; "" = none
 */
export async function findCommittedSecrets(context: RunContext, base: string): Promise<readonly CommittedSecret[]> {
  const to = await context.ports.history.refs();
  if (to === null) return [unread("git does not tell what its refs are")];
  const span = spanOf(context.refsAtStart.current, to, base);
  const { searched } = context.refsAtStart;
  if (searched !== null && isSame(searched.refs, span.to)) return searched.found;
  const found = await search(context, span, base);
  context.refsAtStart.searched = { refs: span.to, found };
  return found;
}

/** For a claim at this commit: other claims at the same one have seen the same. What hangs elsewhere meanwhile, the end of the window sees. */
export async function searchAt(context: RunContext, base: string, commit: string): Promise<readonly CommittedSecret[]> {
  const { searched } = context.refsAtStart;
  return searched?.refs.get("HEAD") === commit ? searched.found : findCommittedSecrets(context, base);
}

function isSame(one: Refs, other: Refs): boolean {
  return one.size === other.size && [...one].every(([name, id]) => other.get(name) === id);
}

async function search(context: RunContext, span: RefSpan, base: string): Promise<readonly CommittedSecret[]> {
  const { history } = context.ports;
  const suspects: AddedObject[] = [];
  const reading = await history.added(span, (object) => {
    if (suspects.length < mostFound && isSuspect(context, object)) suspects.push(object);
  });
  if (reading.kind === "failed") return [unread(reading.detail)];
  const found: CommittedSecret[] = [];
  for (const object of suspects) found.push(...(await locate(context, { object, span, base })));
  return reading.left === 0 ? found : [...found, unread(`${reading.left} objects are too large or too many to be looked at`)];
}

function spanOf(from: Refs | null, to: Refs, base: string): RefSpan {
  if (from !== null) return { from, to };
  const head = to.get("HEAD");
  return { from: new Map(base === "" ? [] : [["HEAD", base]]), to: new Map(head === undefined ? [] : [["HEAD", head]]) };
}

function isSuspect({ ports: { redactor } }: RunContext, { name, text }: AddedObject): boolean {
  return findSecret(text, redactor) !== null || findSecret(name, redactor) !== null;
}

interface Suspect {
  readonly object: AddedObject;
  readonly span: RefSpan;
  readonly base: string;
}

/** Only what is new in a file counts: what stood there before the window is not its doing. */
async function locate(context: RunContext, { object, span, base }: Suspect): Promise<readonly CommittedSecret[]> {
  const { history, redactor } = context.ports;
  const { kind, id, name } = object;
  const before = kind === "file" && base !== "" && name !== "" ? await history.textAt(base, name) : null;
  const inText = findSecret(before === null ? object.text : newLines(object.text, before), redactor);
  const inName = kind === "file" && before === null ? findSecret(name, redactor) : null;
  const commit = kind === "commit" ? id : kind === "file" ? await history.bringer(span, id) : null;
  const place = { kind, commit, path: kind === "file" ? redactor.text(name) : kind === "commit" ? null : redactor.text(name || id) };
  return [
    ...(inText === null ? [] : [{ ...place, line: inText.line, whose: inText.whose, isMarked: inText.isMarked }]),
    ...(inName === null ? [] : [{ ...place, line: null, whose: `${inName.whose}, in its path`, isMarked: false }]),
  ];
}

function unread(why: string): CommittedSecret {
  return { kind: "unread", commit: null, path: null, line: null, whose: why, isMarked: true };
}
