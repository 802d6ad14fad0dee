/** Which file a module's name may mean. Names are compared without their endings, and Python's by the end of their path. */

/** `./slug.mjs` asked for in test/slug.test.mjs is `slug`, below test; null for a package. */
export function resolveModule(from: string, module: string): string | null {
  if (!module.startsWith("./") && !module.startsWith("../") && module !== "." && module !== "..") return null;
  const parts = from.split("/").slice(0, -1);
  for (const part of module.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return withoutEnding(parts.join("/"));
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
