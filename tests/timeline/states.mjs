// Reads {size, pages: [base64, …], last} on stdin, and writes what a view would show at every prefix.
import { text } from "node:stream/consumers";
import { timeline } from "./module.mjs";

const { size, pages, last } = JSON.parse(await text(process.stdin));
const opened = [];
for (const page of pages) opened.push(timeline.openPage(await timeline.decode(Buffer.from(page, "base64")), 7));
const shown = [];
for (let prefix = 0; prefix <= last; prefix++) {
  const page = opened[timeline.pageOf(prefix, size)];
  const state = Object.fromEntries([...timeline.stateAt(page, prefix)].map(([path, value]) => [page.paths[path], value]));
  shown.push({ state, rows: timeline.rowsAt(page, prefix) });
}
const events = opened.flatMap((page) => page.events.map((fields, i) => {
  const pairs = {};
  for (let f = 0; f < fields.length; f += 2) pairs[page.keys[fields[f]]] = fields[f + 1];
  return { name: page.names[i], fields: pairs };
}));
process.stdout.write(JSON.stringify({ shown, events, marks: opened.flatMap((page) => page.marks) }));
