// The widget's module as node sees it: read as text, because the file is one that browsers load by itself.
import { readFile } from "node:fs/promises";

const source = await readFile(new URL("../../forge/timeline/timeline.js", import.meta.url));
export const timeline = await import(`data:text/javascript;base64,${source.toString("base64")}`);
