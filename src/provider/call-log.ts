/** The latest calls. Their number and the size of their requests are bounded, whatever the night brings. */
import type { ProviderCall } from "../ports/provider.ts";

const maxCalls = 1000;
const maxBytes = 64 * 1024 * 1024;

export class CallLog {
  readonly calls: ProviderCall[] = [];
  #bytes = 0;

  add(call: ProviderCall): void {
    this.calls.push(call);
    this.#bytes += call.bytes;
    while (this.calls.length > maxCalls || (this.#bytes > maxBytes && this.calls.length > 1)) this.#bytes -= this.calls.shift()?.bytes ?? 0;
  }
}
