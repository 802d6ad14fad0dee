/** Whether a JSON Schema is one by which answers can be checked: it is read by what checks them. */
import * as z from "zod";

/** Null = it is. */
export function schemaTrouble(schema: Readonly<Record<string, unknown>>): string | null {
  try {
    z.fromJSONSchema(schema).safeParse({});
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
