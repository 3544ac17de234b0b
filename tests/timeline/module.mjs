// The widget's module as node sees it: read as text, because its files are sent to browsers as one.
import { readFile } from "node:fs/promises";

const read = (name) => readFile(new URL(`../../forge/timeline/${name}`, import.meta.url), "utf8");
const source = (await read("family.js")) + (await read("timeline.js"));
export const timeline = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
