import assert from "node:assert/strict";
import { test } from "node:test";
import { figures } from "./module.mjs";

const { announceFrame, announceSegment, isNotebooks, moveBy, placed, roomFor, worded } = figures;

const key = (name, held = {}) => ({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

test("a verdict is said without its glyph, which is drawn", () => {
  assert.equal(worded({ mark: "broken", verdict: "✗ lost" }), "lost");
  assert.equal(worded({ mark: null, verdict: "no glyph" }), "no glyph");
});

test("a frame is heard as its label and every verdict with whose it is", () => {
  const blocks = [{ heading: "in place", mark: "broken", verdict: "✗ lost" }, { heading: "temp", mark: "holds", verdict: "✓ whole" }];
  assert.equal(announceFrame({ label: "after the write", blocks }), "after the write; in place: lost; temp: whole");
  assert.equal(announceFrame({ label: "", blocks }), "in place: lost; temp: whole");
});

test("a segment is heard as its facts and its sentence", () => {
  assert.equal(announceSegment({ facts: [["event", "301"]], caption: "It differs." }), "event 301; It differs.");
  assert.equal(announceSegment({ facts: [], caption: "" }), "");
});

test("a place is said with how many there are", () => {
  assert.equal(placed(3, 5, "disk operations"), "3 of 5 disk operations");
});

test("each block keeps room for its longest text, so that moving the dial moves nothing else", () => {
  const frame = (...texts) => ({ blocks: texts.map((text) => ({ text })) });
  assert.deepEqual(roomFor([frame("a\nb\nc", ""), frame("a", "a\nb")]), [3, 2]);
});

test("in a strip, down and right are onwards", () => {
  const to = (name) => moveBy(name, 3, 6, -1);
  assert.deepEqual(["ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "Home", "End"].map(to), [4, 4, 2, 2, 0, 6]);
});

test("at an end a key leads nowhere further", () => {
  assert.equal(moveBy("ArrowRight", 5, 5), 5);
  assert.equal(moveBy("Home", 0, 0), 0);
});

test("the notebook keeps its own keys: those with a modifier, and Shift+Enter", () => {
  assert.ok(isNotebooks(key("Enter", { shiftKey: true })));
  assert.ok(isNotebooks(key("c", { ctrlKey: true })));
  assert.ok(!isNotebooks(key("d")));
  assert.ok(!isNotebooks(key("ArrowRight", { shiftKey: true })));
});

test("the module is a widget", () => {
  assert.equal(typeof figures.default.render, "function");
});
