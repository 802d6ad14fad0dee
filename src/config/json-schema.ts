/** The JSON Schema of `midwatch.jsonc`, for editors. What it lets through may still be refused: paths, ranges of durations and caps are judged here. */
import * as z from "zod";
import { schemaUrl } from "./default-file.ts";
import { isKey, type KeyGroup, keys } from "./keys.ts";

export function formatJsonSchema(): string {
  const root = schemaOf(keys).extend({ $schema: z.string().optional() }).meta({ title: "Settings of midwatch" });
  const schema = { $id: schemaUrl, ...z.toJSONSchema(root, { target: "draft-07", io: "input" }) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function schemaOf(group: KeyGroup): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(group).map(([name, entry]) => {
        if (!isKey(entry)) return [name, schemaOf(entry).optional()];
        return [
          name,
          entry.schema.optional().meta({ description: entry.about, ...(entry.default === null ? {} : { default: entry.default }) }),
        ];
      }),
    ),
  );
}
