// Writes dist/NOTICES.txt: the licences of the packages that esbuild has put into the extension.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const { inputs } = JSON.parse(readFileSync("dist/meta.json", "utf8"));
const packages = new Set(Object.keys(inputs).flatMap((path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []));
const notices = [...packages].toSorted().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
});
writeFileSync("dist/NOTICES.txt", notices.join(`\n${"-".repeat(80)}\n\n`));
