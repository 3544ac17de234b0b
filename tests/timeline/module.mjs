// The widget's module as node sees it: read as text, because its files are sent to browsers as one.
import { readFile } from "node:fs/promises";

const folder = new URL("../../forge/timeline/", import.meta.url);
const names = (await readFile(new URL("family.py", folder), "utf8"))
  .match(/SCRIPTS = \(([^)]*)\)/)[1].match(/\w+/g);
const texts = await Promise.all(names.map((name) => readFile(new URL(`${name}.js`, folder), "utf8")));
const source = Buffer.from(texts.join("\n")).toString("base64");
export const timeline = await import(`data:text/javascript;base64,${source}`);
