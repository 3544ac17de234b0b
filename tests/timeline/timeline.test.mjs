import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { timeline } from "./module.mjs";

const {
  announce, applyPatch, byEvent, clip, counted, decode, grouped, layMarks, limitRows, moveBy, openPage, pageOf,
  rowsAt, scrollTo, splitMark, stateAt, tickStep, visibleWindow,
} = timeline;

const PAGE = {
  start: 10,
  states: 3,
  paths: ["status", "step", "failure"],
  keyframe: ["created", null, "null"],
  changes: [[[0, 2], ["running", "done"]], [[1, 1], ["plan", null]], [[], []]],
  keys: ["kind"],
  fields: [[[0, 1, 1, 1], ["a", "b", "c", "d"]]],
  names: ["a", "b", "c", "refused"],
  marks: [],
};

test("columns become one list per event, by the gaps between their events", () => {
  assert.deepEqual(byEvent([[[1, 2], ["x", null]], [[1], ["y"]], [[], []]], 4), [[], [0, "x", 1, "y"], [], [0, null]]);
});

test("a patch sets values and removes those that are null", () => {
  const state = new Map([[0, "a"], [1, "b"]]);
  assert.deepEqual([...applyPatch(state, [1, null, 2, "c", 0, "d"])], [[0, "d"], [2, "c"]]);
});

test("gzip bytes are decoded to the value they hold", async () => {
  const bytes = gzipSync(JSON.stringify({ text: "שלום \u2028 👩‍👧" }));
  assert.deepEqual(await decode(new DataView(bytes.buffer, bytes.byteOffset, bytes.length)), { text: "שלום \u2028 👩‍👧" });
});

test("bytes that are not gzip are an error", async () => {
  await assert.rejects(decode(Buffer.from("nothing of the kind")));
});

for (const every of [1, 2, 100]) {
  test(`a page is read at any prefix, in any order, with a keyframe every ${every} events`, () => {
    const page = openPage(PAGE, every);
    const states = { 10: ["created", undefined], 11: ["running", undefined], 12: ["running", "plan"], 13: ["done", undefined] };
    for (const prefix of [13, 10, 12, 11, 12, 13, 10]) {
      const state = stateAt(page, prefix);
      assert.deepEqual([state.get(0), state.get(1), state.get(2)], [...states[prefix], "null"], `prefix ${prefix}`);
    }
  });
}

test("changing a state that was read changes no other", () => {
  const page = openPage(PAGE);
  stateAt(page, 10).clear();
  assert.equal(stateAt(page, 10).get(0), "created");
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
  assert.deepEqual(limitRows(rows, 1).kept.map(({ path }) => path), [3, 5]);
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

test("the module is a widget", () => {
  assert.equal(typeof timeline.default.render, "function");
});
