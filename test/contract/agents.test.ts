import { createProcesses } from "../../src/adapters/processes/processes.ts";
import { createScriptedProcesses } from "./agents-script.ts";
import { describeCommandAgent } from "./agents-suite.ts";

describeCommandAgent("scripts in memory", createScriptedProcesses);
describeCommandAgent("real processes", createProcesses);
