/**
 * Programs that can start a command somewhere in their arguments, each in its own way: containers, remote shells, watchers, terminals. Not their
 * grammar is known here, only that a dangerous command in there would run: the words from its name on, and every text of several words, are judged.
 */
import { type Denial, deny } from "../action.ts";

import { filled } from "../argument.ts";
import { baseName } from "../paths.ts";
import { shells } from "../programs.ts";
import { deeper, firstDenial, type Invocation, type Scene } from "../scene.ts";
import { judgeScriptText } from "./scripts.ts";

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const launchers = setOf(
  "docker podman nerdctl docker-compose kubectl ssh su runuser sg script watch watchexec entr parallel flock unshare nsenter bwrap firejail proot hyperfine perf valgrind " +
    "concurrently nodemon chokidar onchange start-stop-daemon daemonize daemon tmux screen zellij expect make just task vim nvim vi ex emacs gdb lldb cargo osascript " +
    "npm-run-all run-p run-s turbo nx lerna wait-on start-server-and-test dumb-init tini multipass lxc vagrant machinectl systemd-nspawn gosu su-exec tsp pueue sshpass nix nix-shell mise devbox op doppler direnv asdf conda mamba rustup dotenv tar gtar bsdtar rsync scp sftp zip",
);
const dangerous = setOf(
  "rm git find shred pkill killall kill reboot shutdown rimraf curl wget python python3 node perl ruby eval source xargs sudo env dd crontab",
);
const windows = setOf("powershell pwsh cmd");

/** Of PowerShell: stages that only look, with plain words behind them. */
const lookingStage =
  /^\s*(Get-(Content|ChildItem|Item|Location|Date|Process|Command|Help|Member)|Convert(From|To)-Json|Select-(Object|String)|Sort-Object|Format-\w{1,10}|Measure-Object|Test-Path|Resolve-Path|Write-(Output|Host))( [\w./\\*:'" -]{0,400})?$/i;

function onlyReads(args: Invocation["args"]): boolean {
  const words = args.map(({ text }) => text ?? "$").filter((word) => !/^-(NoProfile|NoLogo|NonInteractive|c|Command)$/i.test(word));
  return (
    words.length > 0 &&
    words
      .join(" ")
      .split("|")
      .every((stage) => lookingStage.test(stage))
  );
}

/** Judges what a launcher would start. */
export function judgeLauncher(invocation: Invocation, scene: Scene): Denial | null {
  const { name, args } = invocation;
  if (windows.has(name) && !onlyReads(args)) return deny("unreadable/other-shell", `${name} is not understood`, "use sh or bash");
  if (name === "parallel" && invocation.input !== null && args.every(({ text }) => text?.startsWith("-") === true)) {
    return judgeScriptText(invocation.input, null, scene);
  }
  if (!launchers.has(name) && !name.startsWith("ld-linux")) return null;
  const from = firstInner(invocation);
  return firstDenial(args.keys(), (at) => (at < from ? null : judgeFrom(at, invocation, scene)));
}

function judgeFrom(at: number, invocation: Invocation, scene: Scene): Denial | null {
  const argument = invocation.args[at];
  if (argument === undefined) return null;
  const inner = deeper(scene);
  const name = baseName(argument.text ?? "").toLowerCase();
  if (dangerous.has(name) || shells.has(name))
    return lasting(scene.judge.words(invocation.args.slice(at), { ...invocation, input: null }, inner));
  const text = filled(argument, "x");
  if (!/[\s;|&]/.test(text) || text.length > 16_384) return null;
  // `:!command` is how an editor runs one; `NAME=command` and `--option=command` how others do.
  const scripts = [text.replace(/^[:!]{1,2}/, ""), text.slice(text.indexOf("=") + 1), text.slice(text.lastIndexOf("=") + 1)];
  return firstDenial(new Set(scripts), (script) => lasting(scene.judge.text(script, null, inner)));
}

/** `docker kill` and `kubectl rm` are commands of theirs: where what they start can begin. */
function firstInner({ name, args }: Invocation): number {
  if (!/^(docker|podman|nerdctl|kubectl|docker-compose)$/.test(name)) return 0;
  return args.findIndex(({ text }) => text === null || !/^(-.*|compose|container|image|volume|network|system)$/.test(text)) + 1;
}

/** The text need not be a script at all: what cannot be read as one says nothing. */
function lasting(denial: Denial | null): Denial | null {
  return denial?.family === "unreadable" ? null : denial;
}
