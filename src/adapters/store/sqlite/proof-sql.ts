/** What is shared by questions whose very SQL is shown to people: values stand in it as they are, so that any other program can ask it again. */

export function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

export function cell(value: unknown): string | number | null {
  return typeof value === "string" || typeof value === "number" ? value : null;
}

/** Conditions on `call`; none = all calls. */
export function conditionsOf({
  run,
  batch,
}: {
  readonly run?: string | undefined;
  readonly batch?: string | undefined;
}): readonly string[] {
  return [
    ...(run === undefined ? [] : [`call.owner = 'window' AND call.parent = ${literal(run)}`]),
    ...(batch === undefined ? [] : [`call.owner = 'job' AND call.parent = ${literal(batch)}`]),
  ];
}
