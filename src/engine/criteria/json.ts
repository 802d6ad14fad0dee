import { judgeJson } from "../../core/criteria/json.ts";
import { type Evaluate, pathIn } from "./measuring.ts";

const maxFileBytes = 16 * 1024 * 1024;

export const evaluateJson: Evaluate<"json"> = async (measuring, criterion) => {
  const file = await measuring.ports.files.readText(pathIn(measuring, criterion.path), maxFileBytes);
  if (file.kind === "unreadable") return { verdict: "cannot-tell", detail: `${criterion.path}: ${file.detail}` };
  return judgeJson(criterion, file.kind === "absent" ? null : file.text);
};
