/** The person's terminal. A reader that went away, or a closed terminal, is no reason for a run to end: such errors are swallowed here. */
import { createInterface, type Interface } from "node:readline";

export interface Streams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly error: NodeJS.WriteStream;
}

/** @param redact  through which every text goes that is printed */
export function createTerminal(
  { input, output, error }: Streams,
  env: { readonly NO_COLOR?: string; readonly TERM?: string },
  redact: (text: string) => string,
) {
  for (const stream of [output, error]) stream.on("error", () => undefined);
  let asking: Interface | null = null;
  /** What comes while a person is being asked stands above the prompt and what they have typed so far. */
  const print = (stream: NodeJS.WriteStream, text: string) => {
    if (asking === null) return void stream.write(text);
    error.write("\r\u001b[K");
    stream.write(text);
    asking.prompt(true);
  };
  return {
    out: (text: string) => print(output, redact(text)),
    err: (text: string) => print(error, redact(text)),
    isInteractive: input.isTTY === true && error.isTTY === true,
    hasColor: output.isTTY === true && error.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
    get columns() {
      return { out: columnsOf(output), err: columnsOf(error) };
    },
    async ask(prompt: string, signal: AbortSignal): Promise<string | null> {
      if (signal.aborted) return null;
      const lines = createInterface({ input, output: error, terminal: true });
      asking = lines;
      // A prompt that nobody is to answer any more would stand there as if it waited: it goes before the next line is printed.
      const withdraw = () => {
        if (asking !== lines) return;
        asking = null;
        error.write("\r\u001b[K");
      };
      signal.addEventListener("abort", withdraw, { once: true });
      try {
        const words = await nextLine(lines, prompt, signal);
        if (words === null) withdraw();
        return words;
      } finally {
        signal.removeEventListener("abort", withdraw);
        lines.close();
        if (asking === lines) asking = null;
      }
    },
  };
}

function columnsOf(stream: NodeJS.WriteStream): number | null {
  return stream.isTTY === true && stream.columns > 0 ? stream.columns : null;
}

/** One line; null when the input ends, or when the signal aborts. */
function nextLine(lines: Interface, prompt: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(null));
    // At a terminal in raw mode Ctrl-C is a key: it is passed on as the signal that it stands for.
    lines.once("SIGINT", () => {
      resolve(null);
      process.kill(process.pid, "SIGINT");
    });
    signal.addEventListener("abort", () => resolve(null), { once: true });
    lines.setPrompt(prompt);
    lines.prompt();
  });
}
