/** The lists of `guard`: what a person denies and grants beyond the rules, each with a reason. What they mean is core/guard/policy.ts. */
import * as z from "zod";
import { commandWords } from "../core/guard/policy.ts";
import type { Kind } from "./key.ts";

const reason = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^[^\n\0]+$/);
const command = z
  .string()
  .max(400)
  .refine((text) => commandWords(text) !== null, "must be a command whose name is written out");
const tool = z.string().regex(/^[\w.*?-]{1,120}$/);
const write = z
  .string()
  .max(1024)
  .regex(/^(?!\/|\.\.(?:\/|$))[^\0]+$/);

const denied = z.union([z.strictObject({ command, reason }), z.strictObject({ tool, reason }), z.strictObject({ write, reason })]);
const allowed = z.strictObject({ command, reason });

export type DeniedByPerson = z.infer<typeof denied>;
export type AllowedByPerson = z.infer<typeof allowed>;

export function deniedList(): Kind<readonly DeniedByPerson[]> {
  return {
    schema: z.array(denied).max(100),
    expects: 'a list such as [{ "command": "terraform apply", "reason": "the state is shared" }]; instead of command: tool, write',
    form: "json",
  };
}

export function allowedList(): Kind<readonly AllowedByPerson[]> {
  return {
    schema: z.array(allowed).max(100),
    expects: 'a list such as [{ "command": "npm publish --tag next", "reason": "releases go out at night" }]',
    form: "json",
  };
}
