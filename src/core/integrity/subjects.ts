/** Which files of the tree a test is about, by what it imports. */

/** What is tried behind a name without an ending. */
const endings = ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", "/index.ts", "/index.js", "/index.mjs"];
/** TypeScript names the file that will be there once it is compiled. */
const compiled: Readonly<Record<string, string>> = { ".js": ".ts", ".mjs": ".mts", ".cjs": ".cts", ".jsx": ".tsx" };
const pythonRoots = ["", "src/", "lib/"];

/** @param from  the importing file; @param module  as it is written there; @param known  all files of the tree */
export function resolveImport(from: string, module: string, known: ReadonlySet<string>): string | null {
  const folder = from.includes("/") ? from.slice(0, from.lastIndexOf("/")) : "";
  const candidates = from.endsWith(".py") || from.endsWith(".pyi") ? pythonFiles(folder, module) : scriptFiles(folder, module);
  return candidates.find((path) => known.has(path)) ?? null;
}

function scriptFiles(folder: string, module: string): readonly string[] {
  if (!module.startsWith(".")) return [];
  const path = joined(folder, module);
  const ending = /\.[cm]?jsx?$/.exec(path)?.[0] ?? "";
  const source = compiled[ending];
  return [...endings.map((end) => `${path}${end}`), ...(source === undefined ? [] : [`${path.slice(0, -ending.length)}${source}`])];
}

function pythonFiles(folder: string, module: string): readonly string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const name = module.slice(dots).replaceAll(".", "/");
  const above = (levels: number) => (folder === "" ? [] : folder.split("/")).slice(0, -levels || undefined).join("/");
  const roots = dots > 0 ? [above(dots - 1)] : [folder, ...pythonRoots.map((root) => root.replace(/\/$/, "")), above(1)];
  const parent = name.includes("/") ? [name.slice(0, name.lastIndexOf("/"))] : [];
  return roots.flatMap((root) =>
    [name, ...parent].flatMap((one) =>
      [`${joined(root, one)}.py`, `${joined(root, one)}/__init__.py`].map((path) => path.replace(/^\//, "")),
    ),
  );
}

function joined(folder: string, path: string): string {
  const parts: string[] = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
