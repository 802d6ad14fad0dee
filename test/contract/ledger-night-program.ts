/** The calls as a program, to be killed at its fault points: `ledger-night-program FOLDER`. */
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { calls } from "./ledger-night.ts";

const store = await openStore({ folder: process.argv[2] ?? "" });
for (const step of calls) await step(store);
await store.close();
