/** The night as a program, to be killed at its fault points: `store-night-program FOLDER`. */
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { night } from "./store-night.ts";

const store = await openStore({ folder: process.argv[2] ?? "" });
for (const step of night) await step(store);
await store.close();
