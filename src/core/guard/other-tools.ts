/** Tools that are no shell, file or fetch of the agent's own: judged by what the names of the tool and of its fields say. A stranger's tool may do anything: this is a fence for the plain case. */
import { type Action, type Denial, deny, type ToolInput } from "./action.ts";
import { known } from "./argument.ts";
import { judgeOutgoingText } from "./families/data-out.ts";
import { denyProtected } from "./file-writes.ts";
import { resolvePath } from "./paths.ts";
import { namesProtected } from "./protected-paths.ts";
import { firstDenial, type Scene } from "./scene.ts";
import { isSecretFile } from "./secrets.ts";

type ToolAction = Extract<Action, { kind: "tool" }>;

/** Work for after the window, which no guard sees. */
const schedulers = /^(cron_?create|remote_?trigger|create_?schedule|schedule_?(task|job|agent))$/i;
const changers = /write|edit|create|move|delete|remove|update|append|put|patch|upload|rename|chmod|set/i;
const movers = /move|rename|delete|remove/i;
const carriers = /upload|send|attach|share|publish|post|put/i;
const killers = /kill|terminate|(stop|end)_?process/i;
const pushers = /push|ref|branch|merge/i;

/** Any tool may carry a command or a path; a tool of a server, and a search, may carry a key away. */
export function judgeTool(action: ToolAction, scene: Scene): Denial | null {
  const { name, inputs } = action;
  if (schedulers.test(name))
    return deny("guard-and-contract/later", `${name} runs things after the window`, "do it now, or ask the person");
  return (
    judgeForce(action) ??
    judgeKill(action, scene) ??
    judgeWords(inputs, scene) ??
    firstDenial(inputs, (input) => judgeInput(input, action, scene))
  );
}

function judgeInput({ name: field, text }: ToolInput, { name, server }: ToolAction, scene: Scene): Denial | null {
  if (/^(command|cmd|script|shell|bash|sh)$/i.test(field)) return scene.judge.text(text, null, scene);
  const isWritten = changers.test(name) && /(path|file|filename|destination|target|uri)$/i.test(field);
  const isMoved = movers.test(name) && /^(source|src|from|old.*)$/i.test(field);
  if (isWritten || isMoved) {
    const place = resolvePath(scene.context.top, text.replace(/^file:\/\//, ""));
    if (namesProtected(known(place), scene)) return denyProtected();
  }
  if (server === null && name !== "WebSearch") return null;
  const isCarried = carriers.test(name) && /(path|file|filename|source|src|uri|attachments?)$/i.test(field) && isSecretFile(text);
  return isCarried
    ? deny("data-out/send", `${name} would send a secret`, "keep it on this machine, or ask the person")
    : judgeOutgoingText(text);
}

/** `command` and `args`, or `argv`, are the words of one command. */
function judgeWords(inputs: readonly ToolInput[], scene: Scene): Denial | null {
  const words = inputs.filter(({ name }) => /^(argv|args|arguments|command|cmd|program|executable)$/i.test(name)).slice(0, 200);
  const [program, ...args] = words.map(({ text }) => known(text));
  if (program === undefined || args.length === 0 || /\s/.test(program.text ?? "")) return null;
  return scene.judge.words([program, ...args], { input: null, inputFile: null, environment: new Map() }, scene);
}

function judgeForce({ name, inputs }: ToolAction): Denial | null {
  const isForced = inputs.some(({ name: field, text }) => /^force(d|_?push|_?with_?lease)?$/i.test(field) && text === "true");
  return (isForced && pushers.test(name)) || /force_?push|delete_?repo/i.test(name)
    ? deny("force-push/tool", `${name} with force`, "push without force to a branch of your own, or ask the person")
    : null;
}

function judgeKill({ name, inputs }: ToolAction, { context }: Scene): Denial | null {
  if (!killers.test(name)) return null;
  const pids = inputs.filter(({ name: field }) => /pid$|^process_?id$/i.test(field)).map(({ text }) => Math.abs(Number(text)));
  const isOwn = pids.every((pid) => pid > 1 && !context.supervisorPids.includes(pid));
  const byName = inputs.some(({ name: field }) => /^(process_?)?name$|^pattern$/i.test(field));
  return isOwn && !byName
    ? null
    : deny("end-of-loop/kill", `${name} of a process that is not known to be yours`, "end your own process by its number");
}
