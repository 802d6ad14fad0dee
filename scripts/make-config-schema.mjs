/** Writes schema/midwatch.schema.json from the table of settings: `node scripts/make-config-schema.mjs`. A test compares the two. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatJsonSchema } from "../src/config/json-schema.ts";

writeFileSync(join(import.meta.dirname, "../schema/midwatch.schema.json"), formatJsonSchema());
