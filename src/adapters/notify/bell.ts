/** The terminal's bell: rings at each question and stop when there is a terminal to ring. */
import type { Notifier } from "../../ports/notifier.ts";

export function createBell(terminal: { readonly isInteractive: boolean; err(text: string): void }): Notifier {
  return {
    async notify() {
      if (terminal.isInteractive) terminal.err("\u0007");
    },
  };
}
