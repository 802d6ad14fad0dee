/** The words a person writes before a colon, or as a heading, and the values behind them. English and Portuguese, accents and case do not matter. */
import { foldWords } from "../../core/criteria/words.ts";
import { readKey } from "../../core/task-title.ts";

export type Label = "objective" | "criteria" | "context" | "after" | "priority" | "allow";

/** `single` labels have their value on the same line and open no section. */
export interface LabelledText {
  readonly label: Label;
  readonly single: boolean;
  readonly value: string;
}

const sections: Readonly<Record<string, Label>> = {
  objective: "objective",
  objectives: "objective",
  objetivo: "objective",
  objetivos: "objective",
  criteria: "criteria",
  "completion criteria": "criteria",
  "acceptance criteria": "criteria",
  criterios: "criteria",
  "criterios de conclusao": "criteria",
  "criterios de aceitacao": "criteria",
  context: "context",
  contexto: "context",
};
const singles: Readonly<Record<string, Label>> = {
  check: "criteria",
  checks: "criteria",
  criterion: "criteria",
  criterio: "criteria",
  after: "after",
  "depends on": "after",
  dependencies: "after",
  "depois de": "after",
  "depende de": "after",
  dependencias: "after",
  allow: "allow",
  allows: "allow",
  permitir: "allow",
  permite: "allow",
  priority: "priority",
  prioridade: "priority",
};
const longestLabel = 40;

/** The label that a heading is, such as `2. CRITÉRIOS DE CONCLUSÃO:`; null when it is none of ours. */
export function labelOf(heading: string): Label | null {
  return heading.length > longestLabel ? null : (lookUp(heading.replace(/^\d+[.)]\s*/, "").replace(/:\W*$/, ""))?.label ?? null);
}

/** A text that starts with a label and a colon; null when it does not. */
export function readLabel(text: string): LabelledText | null {
  const colon = text.slice(0, longestLabel).indexOf(":");
  const found = colon < 0 ? null : lookUp(text.slice(0, colon));
  if (found === null) return null;
  return {
    ...found,
    value: text
      .slice(colon + 1)
      .replace(/^[*_]{1,2}(?=\s|$)/, "")
      .trim(),
  };
}

function lookUp(words: string): Pick<LabelledText, "label" | "single"> | null {
  if (/[^\p{L}\p{M} *_]/u.test(words)) return null;
  const folded = foldWords(words.replace(/[*_]/g, ""));
  const label = Object.hasOwn(sections, folded) ? sections[folded] : undefined;
  if (label !== undefined) return { label, single: false };
  const single = Object.hasOwn(singles, folded) ? singles[folded] : undefined;
  return single === undefined ? null : { label: single, single: true };
}

/** The tasks that a text such as `T-01, t-03 and T-04 (the router)` names. A part that holds no key is given back whole, to be missed by its name. */
export function readNames(text: string): readonly string[] {
  const parts = text.split(/[,;]| and | e /).map((part) => part.trim());
  return parts.filter((part) => part !== "" && !/^(none|nothing|nenhum|nenhuma|nada|-|–|—)[.]?$/i.test(part)).flatMap(namesIn);
}

/** The same where every word must be a key: a sentence names nobody. */
export function readOnlyNames(text: string): readonly string[] {
  const names = text
    .split(/[,;\s]+/)
    .filter((word) => !/^(and|e|)$/.test(word))
    .map(nameIn);
  return names.every((name) => name !== null && !/^\d+$/.test(name)) ? names.filter((name) => name !== null) : [];
}

function namesIn(part: string): readonly string[] {
  const names = part.split(/\s+/).map(nameIn);
  if (!names.includes(null)) return names.filter((name) => name !== null);
  return [readKey(part)?.key ?? names[0] ?? part];
}

/** Behind `after:` a first word needs no capitals to be a key: a colon after it says as much. */
function nameIn(word: string): string | null {
  const found = readKey(`${word.replace(/[.:]$/, "")}:`);
  return found === null || found.rest !== "" ? null : found.key;
}
