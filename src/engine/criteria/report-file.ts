/** A report file of a command. One that this very run did not write is no report, whatever it says. */
import { type Measuring, pathIn } from "./measuring.ts";

const maxReportBytes = 32 * 1024 * 1024;

export type ReportFile = { readonly kind: "text"; readonly text: string } | { readonly kind: "none"; readonly reason: string };

/** To be called before the command; what it gives reads the file after it. */
export async function watchReport(measuring: Measuring, path: string): Promise<() => Promise<ReportFile>> {
  const { files } = measuring.ports;
  const absolute = pathIn(measuring, path);
  const before = await files.stamp(absolute);
  return async () => {
    const after = await files.stamp(absolute);
    if (after === null) return { kind: "none", reason: `the report ${path} is not there` };
    if (after === before) return { kind: "none", reason: `the report ${path} is an old one: this run did not write it` };
    const file = await files.readText(absolute, maxReportBytes);
    if (file.kind === "text") return file;
    return { kind: "none", reason: `the report ${path} ${file.kind === "absent" ? "is not there" : `cannot be read: ${file.detail}`}` };
  };
}
