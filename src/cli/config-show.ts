/** `midwatch config show [--origin]`. */
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { json, plain } from "./print.ts";

export async function configShowCommand(app: App, options: JsonOption & { readonly origin?: boolean }): Promise<number> {
  const { location } = await app.workspace();
  const { rows, warnings, files } = await app.loadConfig(location.top, []);
  for (const warning of warnings) app.terminal.err(`${plain(warning)}\n`);
  if (options.json) {
    app.terminal.out(json({ files, values: rows }));
    return 0;
  }
  const width = Math.max(...rows.map((row) => row.path.length));
  const lines = rows.map(
    (row) =>
      `${row.path.padEnd(width)}  ${plain(JSON.stringify(row.value))}${options.origin ? `  (${row.origin === row.place ? row.origin : `${row.origin}, ${row.place}`})` : ""}`,
  );
  app.terminal.out(`${lines.join("\n")}\n`);
  return 0;
}
