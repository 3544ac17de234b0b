// Reads {size, pages: [base64, …], last} on stdin, and writes what a view would show at every prefix.
import { text } from "node:stream/consumers";
import { timeline } from "./module.mjs";

const { size, pages, last } = JSON.parse(await text(process.stdin));
const opened = [];
for (const page of pages) opened.push(timeline.openPage(await timeline.decode(Buffer.from(page, "base64"))));
const shown = [];
for (let prefix = 0; prefix <= last; prefix++) {
  const page = opened[timeline.pageOf(prefix, size)];
  shown.push({ state: Object.fromEntries(timeline.stateAt(page, prefix)), rows: timeline.rowsAt(page, prefix) });
}
const events = opened.flatMap((page) => Array.from(page.names, (_, i) => ({
  name: timeline.nameAt(page, page.start + 1 + i),
  fields: Object.fromEntries(timeline.fieldsAt(page, page.start + 1 + i)),
})));
const marks = opened.flatMap((page) => [...page.marks].map(([event, labels]) => [event, ...labels]));
process.stdout.write(JSON.stringify({ shown, events, marks }));
