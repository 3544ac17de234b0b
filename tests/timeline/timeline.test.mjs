import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { timeline } from "./module.mjs";

const {
  announce, announceDifference, clip, codeOf, collectKinds, counted, countBelow, countUp, decode, diffRows, fieldsAt,
  findIn, grouped, kindAt, layMarks, limitRows, listBase, matches, moveBy, nameAt, nearest, openEntries, openPage,
  openStore, pageOf, rowsAt, rulerPath, scrollTo, splitMark, stateAt, textAt, thinMarks, tickStep, trustAt, trustParts,
  typedNumber, visibleWindow,
} = timeline;

const PAGE = {
  start: 10,
  states: 3,
  words: ["created", "null", "running", "done", "plan", "a", "b", "c", "d", "refused"],
  paths: ["status", "step", "failure"],
  keyframe: [0, null, 1],
  changes: [[[0, 2], [2, 1]], [[1, 1], [4, null]], [[], []]],
  keys: ["kind"],
  fields: [[[0, 1, 1, 1], [5, 1, 1, 1]]],
  names: [5, 1, 1, 2],
  marks: [[12, "◆ checkpoint"]],
};

test("entries name words by their distance, count the text before up, or name none", () => {
  const codes = openEntries([1, 1, true, true, null, -2, true]);
  const words = ["e7", "a", "e09"];
  assert.deepEqual([...codes.keys()].map((i) => textAt(words, codes, i)), ["a", "e09", "e10", "e11", undefined, "e7", "e8"]);
});

test("counting up keeps what stands around the number, and its width", () => {
  assert.deepEqual(["9", "run-1-e9", "e009.jsonl", "12345678901234567890"].map((text) => countUp(text, 1)),
    ["10", "run-1-e10", "e010.jsonl", "12345678901234567891"]);
  assert.equal(countUp("e98", 3), "e101");
});

test("places below a limit are counted by halving", () => {
  const places = Int32Array.of(2, 3, 5, 8);
  assert.deepEqual([0, 2, 3, 6, 9].map((limit) => countBelow(places, limit)), [0, 0, 1, 3, 4]);
  assert.equal(countBelow([], 5), 0);
});

test("gzip bytes are decoded to the value they hold", async () => {
  const bytes = gzipSync(JSON.stringify({ text: "שלום \u2028 👩‍👧" }));
  assert.deepEqual(await decode(new DataView(bytes.buffer, bytes.byteOffset, bytes.length)), { text: "שלום \u2028 👩‍👧" });
});

test("bytes that are not gzip are an error", async () => {
  await assert.rejects(decode(Buffer.from("nothing of the kind")));
});

test("a page is read at any prefix, in any order", () => {
  const page = openPage(PAGE);
  const states = {
    10: { status: "created", failure: "null" }, 11: { status: "running", failure: "null" },
    12: { status: "running", step: "plan", failure: "null" }, 13: { status: "done", failure: "null" },
  };
  for (const prefix of [13, 10, 12, 11, 12, 13, 10]) {
    assert.deepEqual(Object.fromEntries(stateAt(page, prefix)), states[prefix], `prefix ${prefix}`);
  }
});

test("an event has a name, fields and a kind", () => {
  const page = openPage(PAGE);
  assert.deepEqual([11, 12, 13, 14].map((n) => [nameAt(page, n), kindAt(page, n)]), [["a", "a"], ["b", "b"], ["c", "c"], ["refused", "d"]]);
  assert.deepEqual(fieldsAt(page, 12), [["kind", "b"]]);
  const without = openPage({ ...PAGE, keys: ["type"] });
  assert.equal(kindAt(without, 14), "refused");
  const some = openPage({ ...PAGE, fields: [[[1], [5]]] });
  assert.deepEqual([11, 12].map((n) => [fieldsAt(some, n), kindAt(some, n)]), [[[], "a"], [[["kind", "a"]], "a"]]);
});

test("two states side by side, in the order of the paths; what stands in neither is left out", () => {
  const rows = diffRows(new Map([["x", "1"], ["old", "2"]]), new Map([["x", "1"], ["new", "3"]]), ["new", "none", "x"]);
  assert.deepEqual(rows.map(({ path, change, was, value }) => [path, change, was, value]),
    [["new", "added", undefined, "3"], ["x", "same", "1", "1"], ["old", "removed", "2", undefined]]);
});

test("rows stand in the order of the paths and say what the last event did to each", () => {
  const page = openPage(PAGE);
  const changes = (prefix) => rowsAt(page, prefix).map(({ path, change, was, value }) => [path, change, was, value]);
  assert.deepEqual(changes(10), [["status", "same", "created", "created"], ["failure", "same", "null", "null"]]);
  assert.deepEqual(changes(12), [
    ["status", "same", "running", "running"], ["step", "added", undefined, "plan"], ["failure", "same", "null", "null"],
  ]);
  assert.deepEqual(changes(13), [
    ["status", "changed", "running", "done"], ["step", "removed", "plan", undefined], ["failure", "same", "null", "null"],
  ]);
});

test("a page shows the prefixes after its start, and the first also prefix 0", () => {
  assert.deepEqual([0, 1, 9, 10, 11, 20, 21].map((prefix) => pageOf(prefix, 10)), [0, 0, 0, 0, 1, 1, 2]);
});

test("of too many rows the changed ones are kept, in their order", () => {
  const rows = ["same", "same", "same", "changed", "same", "removed"].map((change, path) => ({ path, change }));
  const { kept, hidden } = limitRows(rows, 4);
  assert.deepEqual([kept.map(({ path }) => path), hidden], [[0, 1, 3, 5], 2]);
  assert.deepEqual(limitRows(rows, 6), { kept: rows, hidden: 0 });
  assert.deepEqual(limitRows(rows, 1), { kept: [rows[3]], hidden: 5 });
});

test("a long text is cut with its length, never through a character", () => {
  assert.equal(clip("short", 5), "short");
  assert.equal(clip("x".repeat(1200), 3), "xxx… (1,200 characters)");
  assert.equal(clip("ab😀cd", 3), "ab… (6 characters)");
});

test("thousands stand apart and one event is not several", () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
  assert.deepEqual([0, 1, 1000].map(counted), ["0 events", "1 event", "1,000 events"]);
});

test("what changed is said as a sentence", () => {
  const rows = [
    { path: "status", change: "changed", value: "running", was: "created" }, { path: "version", change: "same" },
    { path: "step", change: "added", value: "plan" }, { path: "old", change: "removed", was: "1" },
    { path: "more", change: "added", value: "2" },
  ];
  assert.equal(
    announce(1200, "step_started", rows),
    "Event 1,200, step_started: status running, was created; step added, plan; old removed, was 1; and 1 more.",
  );
  assert.equal(announce(2, "nothing", [{ path: "a", change: "same" }]), "Event 2, nothing: nothing changed.");
  assert.equal(announce(0, "", []), "Before the first event.");
});

test("a list draws the rows in sight and a few beside them", () => {
  assert.deepEqual(visibleWindow(0, 216, 24, 1_000_000), [0, 13]);
  assert.deepEqual(visibleWindow(24 * 500, 216, 24, 1_000_000), [496, 513]);
  assert.deepEqual(visibleWindow(24 * 999_991, 216, 24, 1_000_000), [999_987, 1_000_000]);
  assert.deepEqual(visibleWindow(0, 48, 24, 2), [0, 2]);
  assert.deepEqual(visibleWindow(0, 24, 24, 0), [0, 0]);
});

test("a list scrolls only for a row that is not well inside it", () => {
  assert.equal(scrollTo(4, 0, 216, 24), 0);
  assert.equal(scrollTo(8, 0, 216, 24), 8 * 24 - 96);
  assert.equal(scrollTo(0, 240, 216, 24), 0);
  assert.equal(scrollTo(500, 0, 216, 24), 500 * 24 - 96);
});

test("ticks are round numbers of events apart and never crowd", () => {
  assert.equal(tickStep(12, 860), 1);
  assert.equal(tickStep(100, 860), 2);
  for (const count of [1, 12, 137, 10_000, 999_999]) {
    const step = tickStep(count, 860);
    assert.ok((step / count) * 860 >= 10);
    assert.match(String(step), /^[125]0*$/);
  }
});

test("a label asks for its shape with its first character", () => {
  assert.deepEqual(splitMark("◆ checkpoint"), { shape: "diamond", text: "checkpoint" });
  assert.deepEqual(splitMark("▲ write revoked"), { shape: "triangle", text: "write revoked" });
  assert.deepEqual(splitMark("■ completed"), { shape: "square", text: "completed" });
  assert.deepEqual(splitMark("✗ refused"), { shape: "cross", text: "refused" });
  assert.deepEqual(splitMark("hello"), { shape: "dot", text: "hello" });
  assert.deepEqual(splitMark(""), { shape: "dot", text: "" });
});

test("marks never overlap, stay inside the ruler, and stand at their event", () => {
  const marks = Array.from({ length: 300 }, (_, i) => ({ event: i * 3, shape: "dot", text: i % 2 ? "checkpoint" : "write revoked" }));
  for (const width of [200, 860]) {
    const placed = layMarks(marks, 900, width);
    assert.ok(placed.length > 4);
    for (const lane of [0, 1]) {
      const boxes = placed.filter((mark) => mark.lane === lane).map(({ left, worded, text }) => [left, left + (worded ? 20 + text.length * 6.8 : 14)]);
      boxes.sort(([a], [b]) => a - b);
      boxes.slice(1).forEach(([left], i) => assert.ok(left >= boxes[i][1], `${left} after ${boxes[i][1]}`));
    }
    for (const { event, x, left, worded, text } of placed) {
      assert.equal(x, (event / 900) * width);
      if (worded) assert.ok(left >= 0 && left + 20 + text.length * 6.8 <= width + 1e-9);
    }
  }
});

test("two marks at one event stand above and below it", () => {
  const placed = layMarks([{ event: 5, text: "one" }, { event: 5, text: "two" }], 10, 800);
  assert.deepEqual(placed.map(({ lane, worded }) => [lane, worded]), [[0, true], [1, true]]);
});

test("keys move by one, by a tenth and to the ends, never beyond", () => {
  const to = (key, prefix) => moveBy(key, prefix, 100);
  assert.deepEqual(["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"].map((key) => to(key, 50)), [51, 51, 49, 49]);
  assert.deepEqual(["PageUp", "PageDown", "Home", "End"].map((key) => to(key, 50)), [60, 40, 0, 100]);
  assert.deepEqual([to("ArrowRight", 100), to("PageDown", 3), to("Home", 0)], [100, 0, 0]);
  assert.equal(moveBy("PageUp", 3, 12), 5);
});

test("in the list, down is onwards and a page is what the list shows", () => {
  const to = (key) => moveBy(key, 50, 100, -1, -9);
  assert.deepEqual(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"].map(to), [51, 49, 59, 41, 0, 100]);
});

test("other keys lead nowhere", () => {
  assert.deepEqual(["d", "Enter", " ", "Escape", "constructor"].map((key) => moveBy(key, 5, 10)), [null, null, null, null, null]);
});

test("a difference is said as a sentence", () => {
  assert.equal(announceDifference(1, 2000, [{ path: "a", change: "changed", was: "1", value: "2" }]), "From prefix 1 to 2,000: a 2, was 1.");
  assert.equal(announceDifference(3, 3, []), "From prefix 3 to 3: no difference.");
});

test("the line that reproduces a view", () => {
  assert.equal(codeOf(7, null), "history.at(7)");
  assert.equal(codeOf(7, 3), "history.diff(3, 7)");
});

test("a typed prefix is a whole number, thousands apart or not", () => {
  assert.deepEqual(["7", " 1,234 ", "1 000", "", "x", "-1", "1.5", "9".repeat(16)].map(typedNumber), [7, 1234, 1000, null, null, null, null, null]);
});

test("trust is said for every prefix, and drawn in its parts", () => {
  assert.equal(trustAt(null, 3, 9), null);
  assert.deepEqual(trustAt({ count: 9, broken: false }, 9, 9), ["holds", "chain holds to 9"]);
  assert.deepEqual(trustAt({ count: 7, broken: true }, 7, 9), ["holds", "chain holds to 7"]);
  assert.deepEqual(trustAt({ count: 7, broken: true }, 8, 9), ["broken", "trust ends at record 8"]);
  assert.deepEqual(trustAt({ count: 7, broken: false }, 8, 9), ["notyet", "the log holds 7 records"]);
  assert.deepEqual(trustParts(null, 9), []);
  assert.deepEqual(trustParts({ count: 7, broken: true }, 9), [["holds", 0, 7], ["broken", 7, 9]]);
  assert.deepEqual(trustParts({ count: 0, broken: true }, 1), [["broken", 0, 1]]);
  assert.deepEqual(trustParts({ count: 12, broken: false }, 9), [["holds", 0, 9]]);
});

test("a ruler is drawn up to a prefix, with its ticks", () => {
  assert.equal(rulerPath(2, 4, 100), "M0 0H50M0 -5V5M25 -5V5M50 -5V5");
  assert.equal(rulerPath(0, 0, 100), "M0 0H0M0 -5V5");
  assert.equal(rulerPath(2, 4, 0), "M0 0H0");
});

test("of marks too close to be told apart two are kept for each pixel", () => {
  const marks = Array.from({ length: 100 }, (_, i) => ({ event: i }));
  assert.deepEqual(thinMarks(marks, 100, 2).map(({ event }) => event), [0, 1, 50, 51]);
  assert.deepEqual(thinMarks(marks, 100, 1000), marks);
});

test("a list longer than a browser can lay out begins where its row can be seen", () => {
  assert.equal(listBase(0, 5, 10), 0);
  assert.equal(listBase(0, 900_000, 1_000_000), 600_000);
  assert.equal(listBase(600_000, 700_000, 1_000_000), 600_000);
  assert.equal(listBase(600_000, 600_500, 1_000_000), 400_500);
  assert.equal(listBase(0, 400_000, 1_000_000), 200_000);
});

test("an event is found by its kind, its mark and its text, forwards and backwards", () => {
  const page = openPage(PAGE);
  const any = { kind: null, mark: null, text: "" };
  assert.equal(findIn(page, 11, 1, any), 11);
  assert.equal(findIn(page, 11, 1, { ...any, kind: "c" }), 13);
  assert.equal(findIn(page, 14, 1, { ...any, kind: "c" }), null);
  assert.equal(findIn(page, 14, -1, { ...any, mark: "◆ checkpoint" }), 12);
  assert.equal(findIn(page, 99, -1, { ...any, text: "refu" }), 14);
  assert.equal(findIn(page, 1, 1, { ...any, text: "kind d" }), 14);
  assert.ok(matches(page, 12, { ...any, text: "checkpoint" }));
  assert.ok(!matches(page, 12, { ...any, kind: "b", text: "nothing of it" }));
});

test("kinds and marks are collected, and no more than help", () => {
  const [kinds, marks] = [new Set(), new Set()];
  collectKinds(openPage(PAGE), kinds, marks, 2);
  assert.deepEqual([[...kinds], [...marks]], [["a", "b", "c"], ["◆ checkpoint"]]);
});

test("the page to come next is the one nearest to the wanted one", () => {
  const there = new Set([0, 2, 3]);
  const order = [];
  for (let next; (next = nearest((n) => !there.has(n), 6, 2)) !== null;) order.push(next) && there.add(next);
  assert.deepEqual(order, [1, 4, 5]);
});
