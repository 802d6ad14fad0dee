/** The licences of the packages that the bundle contains, as one text. A package without a licence text is named with its licence's name. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @param {string} root
 * @param {Iterable<string>} inputs  the files of a bundle, as its metafile names them
 */
export function formatNotices(root, inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const match = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
    if (match) folders.add(match[0]);
  }
  const parts = [...folders].sort().map((folder) => formatPackage(join(root, folder)));
  return `Midwatch contains these packages.\n${parts.join("")}`;
}

/** @param {string} folder */
function formatPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = existsSync(folder) ? readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)) : [];
  const body = texts.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  return `\n${"-".repeat(79)}\n${name} ${version} (${license})\n\n${body.join("\n\n")}\n`;
}
