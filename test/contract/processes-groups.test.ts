/** Agents where no process namespace can be made, and plain children where there is no tool at all. */
import { createProcesses } from "../../src/adapters/processes/processes.ts";
import { describeProcesses } from "./processes-suite.ts";

const partial = createProcesses({ containment: "partial" });
const bare = createProcesses({ toolPath: "/nowhere" });

describeProcesses({ name: "partial", processes: partial, containment: "agent", isNamespace: false });
describeProcesses({ name: "plain, and without tools", processes: bare, containment: "plain", isNamespace: false });
