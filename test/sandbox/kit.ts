/** Whether this machine can make a sandbox. Where it cannot, these tests are skipped and say so: they never pass for want of one. */
import { tmpdir } from "node:os";
import { createProcesses } from "../../src/adapters/processes/processes.ts";
import { sandboxPlaces } from "../../src/core/sandbox/places.ts";

const places = sandboxPlaces({ kind: "command", tree: [tmpdir()], ours: [], program: "/nonexistent", writable: [], env: {} });
const { sandbox } = createProcesses({ sandbox: { mode: "on", places, tree: tmpdir(), hidden: "/nonexistent", searchPath: "" } });

export const hasSandbox: boolean = sandbox.kind === "on";
if (sandbox.kind === "off") process.stderr.write(`skipped: no sandbox here: ${sandbox.why}\n`);
