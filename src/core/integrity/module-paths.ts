/** Which file a module's name may mean. Names are compared without their endings, and Python's by the end of their path. */

/** What is tried behind a name without an ending. */
const endings = ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", "/index.ts", "/index.js", "/index.mjs"];
/** TypeScript names the file that will be there once it is compiled. */
const compiled: Readonly<Record<string, string>> = { ".js": ".ts", ".mjs": ".mts", ".cjs": ".cts", ".jsx": ".tsx" };
const pythonRoots = ["", "src/", "lib/"];

/** `./slug.mjs` asked for in test/slug.test.mjs is `slug`, below test; null for a package. */
export function resolveModule(from: string, module: string): string | null {
  if (!module.startsWith("./") && !module.startsWith("../") && module !== "." && module !== "..") return null;
  return withoutEnding(joinPath(folderOf(from), module));
}

export function withoutEnding(path: string): string {
  return path.replace(/\.(d\.)?[cm]?[jt]sx?$|\.pyi?$/, "").replace(/\/(index|__init__)$/, "");
}

/** Whether `pkg.slug` or `pkg.slug.slugify` is, or is in, the module of the file src/pkg/slug.py. */
export function isInPythonModule(path: string, dotted: string): boolean {
  const file = withoutEnding(path).split("/");
  const names = dotted.replace(/^\.+/, "").split(".");
  const [stem] = file.slice(-1);
  return [names, names.slice(0, -1)].some((module) => {
    if (module.length === 0 || module.at(-1) !== stem) return false;
    const tail = file.slice(-module.length);
    return tail.length === module.length && tail.every((part, at) => part === module[at]);
  });
}

export function stemOf(path: string): string {
  return withoutEnding(path.split("/").pop() ?? "");
}

/** Which file of the tree is imported; null = none. @param from  the importing file; @param module  as it is written there; @param known  all files of the tree */
export function resolveImport(from: string, module: string, known: ReadonlySet<string>): string | null {
  const folder = folderOf(from);
  const candidates = from.endsWith(".py") || from.endsWith(".pyi") ? pythonFiles(folder, module) : scriptFiles(folder, module);
  return candidates.find((path) => known.has(path)) ?? null;
}

function scriptFiles(folder: string, module: string): readonly string[] {
  if (!module.startsWith(".")) return [];
  const path = joinPath(folder, module);
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
      [`${joinPath(root, one)}.py`, `${joinPath(root, one)}/__init__.py`].map((path) => path.replace(/^\//, "")),
    ),
  );
}

/** The file's name without its ending, in any language. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

/** "" = the top of the repository. */
export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** @returns a path from the top of the repository, without `.` and `..` */
export function joinPath(folder: string, path: string): string {
  const parts: string[] = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
