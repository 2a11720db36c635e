import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LaneModel, laneKinds, toLaneShapes } from '../../../../../src/webview/session/pictures/laneModel';
import type { LaneSegment } from '../../../../../src/webview/session/pictures/lanes';

describe('webview/session/pictures/laneModel', () => {
  it('finds what overlaps a span, however long ago it started', () => {
    const model = modelOf([segment('tool', 0, 100), segment('model', 10, 20), segment('model', 50, 60)]);
    assert.deepEqual(indexesIn(model, 30, 55), [0, 2]);
    assert.deepEqual(indexesIn(model, 101, 200), []);
  });

  it('finds the same as a check of every segment', () => {
    const segments = fc.array(
      fc.tuple(fc.nat(100), fc.nat(30)).map(([from, length]) => segment('tool', from, from + length)),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(segments, fc.nat(100), fc.nat(50), (all, from, length) => {
        const model = modelOf(all);
        const expected = model.items.flatMap((one, index) => (one.from <= from + length && one.to >= from ? [index] : []));
        assert.deepEqual(indexesIn(model, from, from + length), expected);
      }),
    );
  });

  it('sorts segments by start', () => {
    const model = modelOf([segment('model', 50, 60), segment('tool', 0, 10)]);
    assert.deepEqual(
      model.items.map(({ from }) => from),
      [0, 50],
    );
    assert.deepEqual(model.items[1], {
      segment: segment('model', 50, 60),
      lane: 0,
      index: 1,
      kind: laneKinds.indexOf('model'),
      from: 50,
      to: 60,
    });
  });

  it('finds the segment of the same activity in a later model', () => {
    const [first, last] = [segment('tool', 10, 20), { ...segment('model', 30, 40), key: 'later' }];
    const before = modelOf([first, last]).items[1];
    assert.ok(before !== undefined);
    const later = modelOf([segment('idle', 0, 5), first, { ...last, to: 60 }]);
    assert.deepEqual([later.find(before)?.index, later.find(before)?.to], [2, 60]);
    assert.equal(modelOf([first]).find(before), undefined);
  });

  it('finds nothing without segments', () => {
    assert.equal(modelOf([]).at(0, 1), undefined);
    assert.equal(modelOf([]).nearest(5), undefined);
  });

  it('picks the topmost segment at a position, and the shortest of several', () => {
    const model = modelOf([segment('idle', 0, 100), segment('tool', 10, 90), segment('tool', 40, 50), segment('model', 40, 45)]);
    assert.deepEqual(model.at(42, 1)?.segment, segment('tool', 40, 50));
    assert.equal(model.at(95, 1)?.index, 0);
    assert.equal(model.at(200, 1), undefined);
  });

  it('steps from segment to segment, skipping running states', () => {
    const model = modelOf([segment('tool', 0, 10), segment('running', 5, 50), segment('waiting', 20, 30)]);
    const indexes = [model.step(0, 1), model.step(2, -1), model.step(2, 1), model.step(0, -1)].map(item => item?.index);
    assert.deepEqual(indexes, [2, 0, undefined, undefined]);
  });

  it('finds the nearest segment on either side', () => {
    const model = modelOf([segment('tool', 0, 10), segment('tool', 100, 110)]);
    assert.deepEqual(
      [-5, 5, 30, 80, 500].map(moment => model.nearest(moment)?.index),
      [0, 0, 0, 1, 1],
    );
  });
});

describe('webview/session/pictures/laneModel shapes', () => {
  it('draws wide segments separately', () => {
    const model = modelOf([segment('tool', 0, 50), segment('model', 50, 100)]);
    assert.deepEqual(toLaneShapes(model, { from: 0, to: 100 }, 200), [
      { kind: 3, x: 0, width: 100, item: model.items[0] },
      { kind: 2, x: 100, width: 100, item: model.items[1] },
    ]);
  });

  it('merges narrow ones into columns by their longest activity', () => {
    const all = Array.from({ length: 1000 }, (_, index) => segment(index % 4 === 0 ? 'tool' : 'model', index * 10, index * 10 + 10));
    assert.deepEqual(toLaneShapes(modelOf(all), { from: 0, to: 10_000 }, 100), [{ kind: 2, x: 0, width: 100 }]);
  });

  it('always shows waiting for the user, and instant events', () => {
    const all = [
      ...Array.from({ length: 1000 }, (_, index) => segment('model', index * 10, index * 10 + 10)),
      segment('waiting', 5001, 5001),
    ];
    const shapes = toLaneShapes(modelOf(all), { from: 0, to: 10_000 }, 100);
    assert.deepEqual(shapes[1], { kind: 4, x: 50, width: 1 });
    assert.deepEqual(toLaneShapes(modelOf([segment('tool', 50, 50)]), { from: 0, to: 100 }, 100), [{ kind: 3, x: 50, width: 1 }]);
  });

  it('creates at most a few shapes per pixel for any number of segments', () => {
    const kinds = ['model', 'tool', 'idle'] as const;
    const all = Array.from({ length: 50_000 }, (_, index) => segment(kinds[index % 3] ?? 'idle', index * 10, index * 10 + (index % 9)));
    assert.ok(toLaneShapes(modelOf(all), { from: 0, to: 500_000 }, 800).length <= 800);
  });

  it('clips segments that extend far beyond the view', () => {
    const [shape] = toLaneShapes(modelOf([segment('tool', 0, 1e12)]), { from: 5e11, to: 5e11 + 100 }, 100);
    assert.ok(shape !== undefined && shape.x >= -8 && shape.x + shape.width <= 108);
  });
});

function segment(kind: LaneSegment['kind'], from: number, to: number): LaneSegment {
  return { kind, from, to, key: `${kind} ${from}` };
}

function modelOf(segments: readonly LaneSegment[]): LaneModel {
  return new LaneModel({ thread: '', name: 'Main', states: [], work: segments }, 0);
}

function indexesIn(model: LaneModel, from: number, to: number): readonly number[] {
  return model.itemsIn({ from, to }).map(({ index }) => index);
}
