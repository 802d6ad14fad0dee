import { expect, test } from "vitest";
import { parseCriterion } from "../../src/core/criteria/parse.ts";
import { describeUnfit, heldBack, isHeldBack, unfitness } from "../../src/core/fit.ts";
import type { PlannedTask } from "../../src/core/task.ts";

function words(title: string, objective = "", ...lines: readonly string[]): Pick<PlannedTask, "title" | "objective" | "criteria"> {
  const criteria = lines.map(parseCriterion).flatMap((one) => (one.kind === "malformed" ? [] : [one]));
  return { title, objective, criteria };
}

const checked = "run: npm test";

test.each<[string, ReturnType<typeof words>, string]>([
  ["what is checked and says what is to be done is fit", words("Add slugify", "", checked), ""],
  ["without a criterion nothing can be checked", words("Add slugify"), "nothing in it can be checked"],
  ["prose is no check", words("Add slugify", "", "The old links still work"), "nothing in it can be checked"],
  ["a person's yes is a check", words("Make it nicer", "", "approval: it looks right"), ""],
  ["taste is named", words("Make the page nicer", "", checked), 'it asks for taste ("nicer")'],
  ["taste in the objective is named", words("The page", "It should look good on a phone.", checked), 'it asks for taste ("look good")'],
  ["taste in Portuguese is named", words("Deixe a página mais bonita", "", checked), 'it asks for taste ("bonita")'],
  ["accents do not matter", words("Uma tela agradável", "", checked), 'it asks for taste ("agradavel")'],
  ["an exploration is named", words("Investigate the slow query", "", checked), 'it is an exploration ("investigate")'],
  ["an exploration in Portuguese is named", words("Pesquisar bibliotecas de filas", "", checked), 'it is an exploration ("pesquisar")'],
  ["a prova de conceito is one too", words("Fazer uma prova de conceito", "", checked), 'it is an exploration ("prova de conceito")'],
  ["a change everywhere is named", words("Rename Shop to Store everywhere", "", checked), 'it changes dozens of files ("everywhere")'],
  ["a number of files is named", words("Migrate 40 modules to ESM", "", checked), 'it changes dozens of files ("40 modules")'],
  [
    "a change everywhere in Portuguese is named",
    words("Refatorar todos os arquivos de rotas", "", checked),
    'it changes dozens of files ("todos os arquivos")',
  ],
  [
    "the whole code base is named",
    words("Refactor logging", "across the whole code base", checked),
    'it changes dozens of files ("whole code base")',
  ],
  ["a refactoring of one file is fit", words("Refactor slug.ts", "", checked), ""],
  ["all files without a change of them are fit", words("List all files of a job", "", checked), ""],
  ["a few modules are fit", words("Rename it in 3 modules", "", checked), ""],
  ["words within words are not meant", words("Add modernize.ts to Nicerty", "Researchers read it", checked), ""],
  [
    "every sign is named, each once",
    words("Explore a nicer look, then rewrite every file"),
    'nothing in it can be checked; it asks for taste ("nicer"); it is an exploration ("explore"); it changes dozens of files ("every file")',
  ],
])("%s", (_name, task, said) => {
  expect(describeUnfit(unfitness(task))).toBe(said);
});

test.each<[string, ReturnType<typeof words>, boolean]>([
  ["signs of words alone hold nothing back", words("Explore a nicer look", "", checked), false],
  ["what nobody can check is held back", words("Add slugify"), true],
  ["an approval frees it", words("Add slugify", "", "approval: it looks right"), false],
])("%s", (_name, task, isHeld) => {
  const reason = heldBack(task);
  expect(reason !== null && isHeldBack(reason)).toBe(isHeld);
});

test("a person's own reason is not taken for ours", () => {
  expect(isHeldBack("waits for the design")).toBe(false);
});
