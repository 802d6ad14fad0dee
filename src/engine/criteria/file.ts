import { type Evaluate, pathIn } from "./measuring.ts";

const maxFileBytes = 16 * 1024 * 1024;

export const evaluateFile: Evaluate<"file"> = async (measuring, { path, expect }) => {
  const { files } = measuring.ports;
  const absolute = pathIn(measuring, path);
  if (expect.kind === "contains") {
    const file = await files.readText(absolute, maxFileBytes);
    if (file.kind === "absent") return { verdict: "fails", detail: `${path} is not there` };
    if (file.kind === "unreadable") return { verdict: "cannot-tell", detail: `${path}: ${file.detail}` };
    return file.text.includes(expect.needle)
      ? { verdict: "holds", detail: `${path} contains it` }
      : { verdict: "fails", detail: `${path} does not contain ${JSON.stringify(expect.needle)}` };
  }
  const exists = await files.exists(absolute);
  const holds = exists === (expect.kind === "exists");
  return { verdict: holds ? "holds" : "fails", detail: `${path} ${exists ? "is there" : "is not there"}` };
};
