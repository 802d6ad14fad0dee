/** The demo's night for the real Claude Code: what the scripted provider says in each window. The program really runs every tool; only the model is made up. */
import type { ProviderScript, ScriptedCall, ScriptStep } from "../ports/provider.ts";
import { work } from "./work.ts";

/** Real path of the repository, and of the folder above it in which the driver looks for the sign to kill. */
export interface NightPlaces {
  readonly repo: string;
  readonly folder: string;
}

export function claudeNight(places: NightPlaces): ProviderScript {
  const windows = nightSteps(places);
  const conversations = Object.entries(windows).map(([number, steps]) => ({ when: { prompt: `This is window ${number} of` }, steps }));
  return { conversations: [...conversations, { steps: [{ text: "There is nothing left to do." }] }] };
}

function nightSteps({
  repo,
  folder,
}: NightPlaces): Readonly<
  Record<number, readonly ScriptStep[] | ((request: { readonly step: number; readonly prompt: string }) => ScriptStep)>
> {
  const write = (path: string, content: string): ScriptedCall => ({ name: "Write", input: { file_path: `${repo}/${path}`, content } });
  const bash = (command: string): ScriptedCall => ({ name: "Bash", input: { command, description: "work" } });
  const ours = (name: string, input: Readonly<Record<string, unknown>>): ScriptedCall => ({ name: `mcp__midwatch__${name}`, input });
  const files = (key: string) => Object.entries(work(key));
  const commit = (key: string, more: readonly string[] = []) =>
    bash(`git add ${[...files(key).map(([path]) => path), ...more].join(" ")} && git commit --quiet -m "feat: ${key}"`);
  const finish = (key: string, more: readonly string[] = []): readonly ScriptStep[] => [
    { tools: files(key).map(([path, content]) => write(path, content)) },
    { tools: [commit(key, more)] },
    { tools: [ours("task_done", { task: key })] },
  ];
  const note = (status: string, next: string): ScriptStep => ({ tools: [ours("handoff", { status, next, body: "Written by a script." })] });
  const last = (text: string): ScriptStep => ({ text });
  return {
    1: [...finish("T1"), note("CHECKPOINT", "T2"), last("T1 is done.")],
    2: [last("I will now add truncate with its test. Then I will run the tests.")],
    3: [...finish("T2"), note("CHECKPOINT", "T3"), last("T2 is done.")],
    4: [{ fault: { kind: "overloaded" } }],
    5: [{ fault: { kind: "hang" } }],
    6: [...finish("T3"), { tools: [bash("rm -rf /")] }, note("CHECKPOINT", "T4"), last("T3 is done.")],
    7: [
      { tools: files("T4").map(([path, content]) => write(path, content)) },
      { tools: [bash(`touch ${folder}/kill-me; tail -f /dev/null`)] },
    ],
    8: [
      ...finish("T4"),
      {
        tools: [
          ours("ask", { question: "Which currency shall T5 print?", task: "T5", options: ["EUR", "USD"], default: "EUR", minutes: 0.05 }),
        ],
      },
      note("CHECKPOINT", "T5"),
      last("T4 is done; T5 needs a decision."),
    ],
    9: ({ step, prompt }) => {
      const currency = write("src/currency.mjs", `export const currency = "${/-> (EUR|USD)/.exec(prompt)?.[1] ?? "none"}";\n`);
      const steps: readonly ScriptStep[] = [
        { tools: [currency] },
        ...finish("T5", ["src/currency.mjs"]),
        note("DONE", ""),
        last("Everything is done."),
      ];
      return steps[step] ?? last("Everything is done.");
    },
  };
}
