/** The person's terminal. A reader that went away, or a closed terminal, is no reason for a run to end: such errors are swallowed here. */
import { createInterface } from "node:readline";

export interface Streams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly error: NodeJS.WriteStream;
}

export function createTerminal({ input, output, error }: Streams, env: { readonly NO_COLOR?: string; readonly TERM?: string }) {
  for (const stream of [output, error]) stream.on("error", () => undefined);
  return {
    out: (text: string) => void output.write(text),
    err: (text: string) => void error.write(text),
    isInteractive: input.isTTY === true && error.isTTY === true,
    hasColor: output.isTTY === true && error.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
    ask: (prompt: string, signal: AbortSignal) => ask(input, error, prompt, signal),
  };
}

/** One line; null when the input ends, or when the signal aborts. */
function ask(input: NodeJS.ReadStream, output: NodeJS.WriteStream, prompt: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(null);
    const lines = createInterface({ input, output, terminal: true });
    const end = (line: string | null) => {
      lines.removeAllListeners();
      lines.close();
      resolve(line);
    };
    lines.once("line", end);
    lines.once("close", () => end(null));
    // At a terminal in raw mode Ctrl-C is a key: it is passed on as the signal that it stands for.
    lines.on("SIGINT", () => {
      end(null);
      process.kill(process.pid, "SIGINT");
    });
    signal.addEventListener("abort", () => end(null), { once: true });
    lines.setPrompt(prompt);
    lines.prompt();
  });
}
