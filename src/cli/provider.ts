/** `midwatch provider`: serves the scripted provider until a signal comes. */
import { MidwatchError } from "../core/error.ts";
import type { ProviderCall } from "../ports/provider.ts";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { json, plain } from "./print.ts";
import { parseScript } from "./provider-script.ts";

export interface ProviderFlags extends JsonOption {
  readonly script: string;
  readonly port?: string;
  readonly invoice?: string;
}

const maxScriptBytes = 64 * 1024 * 1024;

export async function providerCommand(app: App, flags: ProviderFlags): Promise<number> {
  const provider = await app.startProvider({
    script: await readScript(app, flags.script),
    port: readPort(flags.port),
    ...(flags.invoice === undefined ? {} : { invoicePath: flags.invoice }),
    onCall: (call) => app.terminal.err(callLine(call)),
  });
  const signal = nextSignal(app);
  app.terminal.out(flags.json ? json({ url: provider.url, port: provider.port }) : `${provider.url}\n`);
  app.terminal.err(`a scripted provider; an agent with any key and ANTHROPIC_BASE_URL=${provider.url} speaks to it,\n`);
  app.terminal.err(`or one with OPENAI_BASE_URL=${provider.url}/v1. Ctrl-C ends it.\n`);
  await signal;
  await provider.close();
  return 0;
}

async function readScript(app: App, path: string) {
  const file = await app.files.readText(path, maxScriptBytes);
  if (file.kind === "text") return parseScript(file.text, path);
  const what = file.kind === "absent" ? "there is no such script" : file.detail;
  throw new MidwatchError("usage", "E_SCRIPT_FILE", `${path}: ${what}`, { hint: "docs/provider.md has one to begin with" });
}

function readPort(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new MidwatchError("usage", "E_PORT", `--port ${text} is no port`, { hint: "leave it away, or give a number from 1 to 65535" });
}

function nextSignal(app: App): Promise<void> {
  return new Promise((resolve) => {
    const stop = app.onSignal(() => {
      stop();
      resolve();
    });
  });
}

function callLine({ number, method, path, conversation, step, fault, status }: ProviderCall): string {
  const played = step === null ? "" : `  conversation ${conversation}, step ${step}`;
  return `${number}  ${method} ${plain(path)}${played}  ${fault ?? status ?? ""}\n`;
}
