/**
 * Whether a name on the wire is a model of the table. The table's prefixes are wide (`claude-sonnet-5` would take a later `claude-sonnet-5-5`), so
 * behind a prefix only a date or a version of the same model may follow: no price is better than another model's.
 */
import type { Match, TableModel, TableProvider } from "./price-table.ts";

const maxName = 200;

/** @returns null = the table does not know it, or not for certain */
export function findModel(provider: TableProvider, name: string): TableModel | null {
  if (name.length > maxName) return null;
  return (
    namesOf(name.trim().toLowerCase())
      .map((one) => find(provider, one))
      .find((model) => model !== null) ?? null
  );
}

function find({ models }: TableProvider, name: string): TableModel | null {
  const found = models.find(({ match }) => fits(match, name));
  return found !== undefined && isCertain(found.match, name) ? found : null;
}

/** `-20251101` is also written `-2025-11-01`. */
function namesOf(name: string): readonly string[] {
  const dashed = name.replace(/-(20\d\d)([01]\d)([0-3]\d)(?=-|:|$)/g, "-$1-$2-$3");
  return dashed === name ? [name] : [name, dashed];
}

function fits(match: Match, name: string): boolean {
  if ("or" in match) return match.or.some((one) => fits(one, name));
  if ("and" in match) return match.and.every((one) => fits(one, name));
  if ("equals" in match) return name === match.equals.toLowerCase();
  if ("starts_with" in match) return name.startsWith(match.starts_with.toLowerCase());
  if ("ends_with" in match) return name.endsWith(match.ends_with.toLowerCase());
  if ("contains" in match) return name.includes(match.contains.toLowerCase());
  return new RegExp(match.regex).test(name);
}

function isCertain(match: Match, name: string): boolean {
  if ("or" in match) return match.or.some((one) => isCertain(one, name));
  if ("and" in match) return fits(match, name);
  if ("starts_with" in match) return fits(match, name) && isVersion(name.slice(match.starts_with.length), match.starts_with);
  if ("contains" in match)
    return fits(match, name) && isVersion(name.slice(name.indexOf(match.contains.toLowerCase()) + match.contains.length), match.contains);
  return fits(match, name);
}

/** Few pieces, each with its separator: a name from outside must not make it try for ever. */
const version =
  /^(?:\d{4}|\d\d-\d\d)?(?:[-@._](?:\d{8}|\d{4}-\d\d-\d\d|\d\d-\d\d-\d{4}|\d\d-\d\d|\d{4}|latest|preview|v\d{1,2}(?::\d{1,2})?)){0,4}$/;

function isVersion(rest: string, prefix: string): boolean {
  // What follows the name of a fine-tuned model is its owner's.
  return version.test(prefix.startsWith("ft:") ? rest.replace(/:.*/, "") : rest);
}
