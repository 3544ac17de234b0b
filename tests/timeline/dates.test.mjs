import assert from "node:assert/strict";
import { test } from "node:test";
import { timeline } from "./module.mjs";

const { boxOf, dayOf, dayText, edgeAt, edgeSentence, inForce, labelPlaces, openRectangles, placeOf, pointAt, rowsInForce } = timeline;

const SCALE = { end: 9, first: 100, last: 109, width: 100, height: 50 };
const { rectangles } = openRectangles({
  rows: ["schedule", "access"],
  rectangles: [
    [0, [["version", "1"]], [1, 4], [102, null], [1, 4, 1, null]],
    [0, [["version", "2"]], [4, null], [102, 105], [4, null, 1, 4]],
    [1, [["text", "x"]], [2, 6], [null, null], [2, 6, null, null]],
  ],
});
const orders = (found) => found.map(({ order }) => order);

test("a row is in force where the point lies in its rectangle: from the first side to before the second", () => {
  assert.deepEqual([0, 1, 3, 4, 9].map((prefix) => orders(inForce(rectangles, prefix, 103))), [[], [0], [0, 2], [1, 2], [1]]);
  assert.deepEqual([101, 102, 104, 105, 999].map((day) => orders(inForce(rectangles, 7, day))), [[], [1], [1], [], []]);
  assert.deepEqual(orders(inForce(rectangles, 2, -5)), [2]);
});

test("rows say what the last event did to them", () => {
  const said = (prefix) => rowsInForce(rectangles, prefix, 103).map(({ order, change }) => [order, change]);
  assert.deepEqual(said(1), [[0, "added"]]);
  assert.deepEqual(said(3), [[0, "same"], [2, "same"]]);
  assert.deepEqual(said(4), [[1, "changed"], [2, "same"]]);
  assert.deepEqual(said(6), [[1, "same"], [2, "removed"]]);
  assert.deepEqual(said(0), []);
});

test("days are read and written as dates", () => {
  assert.deepEqual([719163, 1, 739903, 3652059].map(dayText), ["1970-01-01", "0001-01-01", "2026-10-14", "9999-12-31"]);
  for (const day of [1, 719162, 719163, 739903, 3652059]) assert.equal(dayOf(dayText(day)), day);
  assert.deepEqual(["", "tomorrow", "2026-13-01", "2026-10-14x"].map(dayOf), [null, null, null, null]);
});

test("a point is drawn inside exactly the rectangles that it is in, and found again where it is drawn", () => {
  for (let prefix = 0; prefix <= SCALE.end; prefix++) {
    for (let day = SCALE.first; day <= SCALE.last; day++) {
      const [x, y] = placeOf(prefix, day, SCALE);
      const inside = rectangles.filter((rectangle) => {
        const { left, right, top, bottom } = boxOf(rectangle, SCALE);
        return left < x && x < right && top < y && y < bottom;
      });
      assert.deepEqual(orders(inside), orders(inForce(rectangles, prefix, day)), `${prefix}, ${day}`);
      assert.deepEqual(pointAt(x, y, SCALE), [prefix, day]);
    }
  }
  assert.deepEqual([pointAt(-5, 500, SCALE), pointAt(500, -5, SCALE)], [[0, 100], [9, 109]]);
});

test("the edge nearest to a place is found, if an event drew it", () => {
  const found = (x, y) => {
    const edge = edgeAt(rectangles, x, y, SCALE);
    return edge && [edge[0].order, edge[1]];
  };
  assert.deepEqual(found(11, 20), [0, 0]);
  assert.deepEqual(found(80, 41), [1, 2]);
  assert.deepEqual(found(80, 24), [1, 3]);
  assert.deepEqual(found(59, 45), [2, 1]);
  assert.equal(found(95, 5), null);
  assert.equal(found(30, 49), null, "no event drew the lower edge of the third");
});

test("an edge says which event drew it", () => {
  assert.equal(edgeSentence(rectangles[0], 1, "schedule_set"), "schedule, known until: drawn by event 4, schedule_set.");
});

test("a name stands in its own box and over no other name", () => {
  const box = (left, right, top = 0, bottom = 50) => ({ left, right, top, bottom });
  assert.deepEqual(labelPlaces([box(0, 300), box(40, 300), box(0, 300)], ["schedule", "access", "x"]), [[6, 14], [46, 29], [6, 29]]);
  assert.deepEqual(labelPlaces([box(0, 30), box(0, 90, 0, 16)], ["schedule", "access"]), [null, null], "no room");
  const many = Array.from({ length: 500 }, (_, i) => box(i, 900, 0, 160));
  const found = labelPlaces(many, many.map(() => "a row")).filter(Boolean);
  for (const [x, y] of found) {
    const near = found.filter(([otherX, otherY]) => Math.abs(otherY - y) < 15 && Math.abs(otherX - x) < 41);
    assert.equal(near.length, 1);
  }
  assert.ok(found.length > 50);
});
