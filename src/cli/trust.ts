/** `midwatch trust`: a person looks at what the repository brings for agents, and approves it byte for byte. Any change asks again. */
import { MidwatchError } from "../core/error.ts";
import { type Approvals, type SettingsFile, settingsPlaces, standingOf, unapproved } from "../core/repository-settings.ts";
import type { RepositorySettings } from "../ports/repository-settings.ts";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { columns, showLines, tell } from "./layout.ts";
import { count, json, painter, plain } from "./print.ts";

export interface TrustFlags extends JsonOption {
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly revoke?: boolean;
}

/** 6 where something is left that a run would be refused for: the same as the run's own. */
const refused = 6;

export async function trustCommand(app: App, flags: TrustFlags): Promise<number> {
  if (Number(flags.yes ?? false) + Number(flags.list ?? false) + Number(flags.revoke ?? false) > 1)
    throw new MidwatchError("usage", "E_FLAG", "give one of --yes, --list and --revoke", { hint: "see: midwatch trust --help" });
  const settings = await app.repositorySettings(await app.workspace());
  if (flags.revoke) return revoke(app, settings, flags);
  // Whatever agent the settings name today: another one may be named tomorrow.
  const files = await settings.find(settingsPlaces({ kind: "command" }));
  const before = await settings.approvals();
  const shown = { files, approvals: before };
  if (!flags.json) print(app, shown);
  const isWanted = flags.yes === true || (flags.list !== true && (await isConfirmed(app, shown, flags)));
  const approvals = isWanted ? Object.fromEntries(files.flatMap(({ path, hash }) => (hash === null ? [] : [[path, hash]]))) : before;
  if (isWanted) await settings.approve(approvals);
  const left = unapproved(files, approvals);
  if (flags.json) app.terminal.out(json({ files: files.map((file) => ({ ...file, standing: standingOf(file, approvals) })) }));
  else conclude(app, { isWanted, left, total: files.length, isList: flags.list === true });
  return left.length === 0 || flags.list === true ? 0 : refused;
}

async function revoke({ terminal }: App, settings: RepositorySettings, flags: TrustFlags): Promise<number> {
  const before = Object.keys(await settings.approvals());
  await settings.approve({});
  if (flags.json) terminal.out(json({ revoked: before }));
  else
    terminal.out(before.length === 0 ? "nothing was approved for this repository\n" : `taken back: ${count(before.length, "approval")}\n`);
  return 0;
}

interface Shown {
  readonly files: readonly SettingsFile[];
  readonly approvals: Approvals;
}

function print({ terminal }: App, { files, approvals }: Shown): void {
  const paint = painter(terminal);
  const color = { approved: "green", new: "yellow", changed: "yellow", unreadable: "red" } as const;
  const rows = files.map((file) => {
    const standing = standingOf(file, approvals);
    return [paint(color[standing], standing), plain(file.path), file.hash === null ? "-" : file.hash.slice(0, 16), plain(file.about)];
  });
  if (rows.length === 0) terminal.out("this repository brings no settings for agents\n");
  else showLines(terminal, columns(rows), 11);
}

async function isConfirmed({ terminal }: App, { files, approvals }: Shown, flags: TrustFlags): Promise<boolean> {
  const open = unapproved(files, approvals).length;
  if (open === 0 || flags.json || !terminal.isInteractive) return false;
  const words = await terminal.ask(`approve ${open === 1 ? "it" : `these ${open}`} as shown? [y/N] `, new AbortController().signal);
  return /^y(es)?$/i.test(words?.trim() ?? "");
}

function conclude(
  { terminal }: App,
  { isWanted, left, total, isList }: { isWanted: boolean; left: readonly SettingsFile[]; total: number; isList: boolean },
): void {
  if (total === 0) return;
  if (isWanted) terminal.out(`approved: ${count(total - left.length, "file")}; any change to one asks again\n`);
  const unreadable = left.filter(({ hash }) => hash === null);
  if (unreadable.length > 0)
    tell(terminal, `${count(unreadable.length, "path")} cannot be approved: take away what cannot be read as a file`);
  if (left.length > unreadable.length && !isList) tell(terminal, "nothing was approved; after a look: midwatch trust --yes");
}
