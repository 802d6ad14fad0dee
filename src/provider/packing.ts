/** Compresses an answer as it is sent: each piece can be unfolded as soon as it has come. */
import * as zlib from "node:zlib";
import type { ScriptStep } from "../ports/provider.ts";

export type Encoding = NonNullable<ScriptStep["encoding"]>;

export interface Packing {
  /** Never empty for long: what is given is flushed. */
  add(text: string): Promise<Uint8Array>;
  /** The last bytes. */
  end(): Promise<Uint8Array>;
}

const openers = { gzip: zlib.createGzip, deflate: zlib.createDeflate, br: zlib.createBrotliCompress };

/** @param encoding  null = bytes as they are */
export function openPacking(encoding: Encoding | null): Packing {
  if (encoding === null) return { add: async (text) => Buffer.from(text), end: async () => new Uint8Array(0) };
  const stream = openers[encoding]();
  const pieces: Buffer[] = [];
  stream.on("data", (piece: Buffer) => pieces.push(piece));
  const taken = () => Buffer.concat(pieces.splice(0));
  return {
    async add(text) {
      stream.write(text);
      await new Promise<void>((resolve) => stream.flush(() => resolve()));
      return taken();
    },
    async end() {
      await new Promise<void>((resolve) => stream.once("end", resolve).end());
      return taken();
    },
  };
}
