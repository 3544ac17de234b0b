// The figures' module as node sees it: read as text, because its files are sent to browsers as one.
import { readFile } from "node:fs/promises";

const read = (name) => readFile(new URL(`../../forge/${name}`, import.meta.url), "utf8");
const source = (await read("timeline/family.js")) + (await read("figures/figure.js"));
export const figures = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
