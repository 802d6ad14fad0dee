/** The steps as a program, to be killed at its fault points: `batch-night-program FOLDER`. */
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { steps } from "./batch-night.ts";

const store = await openStore({ folder: process.argv[2] ?? "" });
for (const step of steps) await step(store);
await store.close();
