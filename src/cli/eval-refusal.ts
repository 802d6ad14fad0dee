/** E7: what an evaluation asks is never asked by a batch, whatever the job is called and in whatever order its fields stand. */
import { MidwatchError } from "../core/error.ts";
import type { JobList } from "../ports/job-list.ts";
import type { App } from "./app.ts";
import { count } from "./print.ts";

const mostNamed = 10;

export async function refuseEvaluationJobs(app: App, list: JobList): Promise<void> {
  const sets = await (await app.evaluations()).openSets("read");
  if (sets === null) return;
  try {
    const known = sets.known(list.all());
    if (known.length === 0) return;
    const ids = known.slice(0, mostNamed).map(({ id }) => id);
    const rest = known.length > mostNamed ? " and more" : "";
    const names = [...new Set(known.map(({ evaluation }) => evaluation))].join(", ");
    throw new MidwatchError(
      "usage",
      "E_EVAL_JOBS",
      `${count(known.length, "job")} of the list ask what evaluation ${names} asks: ${ids.join(", ")}${rest}`,
      {
        hint: "nothing was added: take them out of the list; a batch and an evaluation never share a job",
      },
    );
  } finally {
    sets.close();
  }
}
