/**
 * C9: which tasks suit no unattended run. What is known for certain is that nothing of a task can be measured; the words of the others are only a sign, and are named,
 * no more. An approval criterion brings a person in, and with it every task is fit.
 */
import { foldWords } from "./criteria/words.ts";
import type { PlannedTask } from "./task.ts";

export type Unfit =
  | { readonly kind: "unchecked" }
  /** `words`: as they stand in the task, without accents and capitals. */
  | { readonly kind: "taste" | "exploration" | "sweeping"; readonly words: string };

type Words = Pick<PlannedTask, "title" | "objective" | "criteria">;

/** Between words of Latin letters, accents taken off. */
const word = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, "u");

const taste = word(
  [
    "beautiful(?:ly)?|pretti(?:er|est)|nice(?:r|ly)?|elegant(?:ly)?|modern|delightful|intuitive|user.friendly|polish(?:ed)?|gorgeous|stylish",
    "looks? (?:and feel|good|great|better|right|professional)|feels? (?:good|great|better|right|fast|natural)|as you (?:like|see fit)",
    "bonit[oa]s?|lind[oa]s?|elegantes?|modern[oa]s?|agradave(?:l|is)|intuitiv[oa]s?|amigave(?:l|is)|caprichad[oa]s?|profissiona(?:l|is)|mais (?:limp|leve)[oa]?s?",
  ].join("|"),
);
const exploration = word(
  [
    "explor(?:e|ing|ation)|investigat(?:e|ing|ion)|research|brainstorm|spike|prototyp(?:e|ing)|experiment(?:s|ing)?|find out|figure out|look into|proof of concept",
    "explor(?:ar|e|acao)|investig(?:ar|ue|acao)|pesquis(?:ar|e)|prototip(?:ar|e|o)|experiment(?:ar|e|o)|descobrir|descubra|prova de conceito",
  ].join("|"),
);
const reshaping = word(
  [
    "refactor(?:s|ed|ing)?|rewrit(?:e|ing)|renam(?:e|ing)|migrat(?:e|ing|ion)|convert(?:ing)?|port(?:ing)?|replac(?:e|ing)|restructur(?:e|ing)|clean(?:ing)? up",
    "refator(?:ar|e|acao|acoes)|reescrev(?:er|a)|renome(?:ar|ie)|migr(?:ar|e|acao)|convert(?:er|a)|substitu(?:ir|a)|reestrutur(?:ar|e)",
  ].join("|"),
);
const everywhere = word(
  [
    "(?:all|every)(?: (?:the|of the|our))? (?:\\w+ )?(?:files?|modules?|components?|classes|tests|pages?|packages)|everywhere|(?:dozens|hundreds) of (?:\\w+ )?\\w+",
    "(?:whole|entire|across the) (?:code ?base|project|repository|repo|app|application)|(?:1[2-9]|[2-9]\\d|\\d{3,}) (?:\\w+ )?(?:files|modules|components|pages)",
    "tod[oa]s (?:os|as) (?:arquivos|modulos|componentes|classes|testes|paginas)|em toda parte|(?:dezenas|centenas) de \\w+",
    "(?:todo o|o) (?:codigo|projeto|repositorio) inteiro|em todo o (?:codigo|projeto|repositorio)|(?:1[2-9]|[2-9]\\d|\\d{3,}) (?:arquivos|modulos|componentes|paginas)",
  ].join("|"),
);
/** The words of a task that is longer than this are looked at no further. */
const mostCharacters = 4000;

/** Nothing of it can be measured: a claim is taken for the work. */
export function isUnchecked({ criteria }: Pick<PlannedTask, "criteria">): boolean {
  return criteria.every(({ kind }) => kind === "prose");
}

/** Why it suits no unattended run; none = nothing speaks against it. */
export function unfitness({ title, objective, criteria }: Words): readonly Unfit[] {
  if (criteria.some(({ kind }) => kind === "approval")) return [];
  const said = foldWords(`${title}. ${objective.slice(0, mostCharacters)}`);
  const signs = (["taste", "exploration"] as const).map((kind) => ({ kind, words: { taste, exploration }[kind].exec(said)?.[0] }));
  const places = reshaping.test(said) ? everywhere.exec(said)?.[0] : undefined;
  return [
    ...(isUnchecked({ criteria }) ? [{ kind: "unchecked" } as const] : []),
    ...[...signs, { kind: "sweeping" as const, words: places }].flatMap(({ kind, words }) =>
      words === undefined ? [] : [{ kind, words }],
    ),
  ];
}

/** For people: `nothing in it can be checked; it asks for taste ("nicer")`. */
export function describeUnfit(reasons: readonly Unfit[]): string {
  return reasons.map((one) => (one.kind === "unchecked" ? phrases.unchecked : `${phrases[one.kind]} ("${one.words}")`)).join("; ");
}

const phrases: Readonly<Record<Unfit["kind"], string>> = {
  unchecked: "nothing in it can be checked",
  taste: "it asks for taste",
  exploration: "it is an exploration",
  sweeping: "it changes dozens of files",
};

/** Why a board holds the task back until a person says yes; null = it does not. */
export function heldBack(task: Words): string | null {
  return isUnchecked(task) ? `${holding}: ${describeUnfit(unfitness(task))}` : null;
}

const holding = "suits no unattended run";

/** Whether this is why a task is blocked: no person put it aside. */
export function isHeldBack(reason: string): boolean {
  return reason.startsWith(holding);
}
