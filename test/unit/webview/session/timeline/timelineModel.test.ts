import assert from 'node:assert/strict';
import { TimelineModel } from '../../../../../src/webview/session/timeline/timelineModel';
import { TranscriptRows } from '../../../../../src/webview/session/transcriptRows';
import { message, status, tool } from '../rows';

const viewport = 100;

function modelOf(count: number): {
  rows: TranscriptRows;
  model: TimelineModel;
  splice: (at: number, remove: number, added: number[]) => void;
} {
  const rows = new TranscriptRows();
  rows.apply({ at: 0, remove: 0, rows: Array.from({ length: count }, (_, seq) => status(seq)) });
  const model = new TimelineModel(rows);
  measureAll(model, 10);
  return {
    rows,
    model,
    splice: (at, remove, added) => model.takeSplice(rows.apply({ at, remove, rows: added.map(seq => status(seq)) })),
  };
}

function measureAll(model: TimelineModel, height: number): void {
  for (let position = 0; position < model.length; position++) {
    model.measure(position, model.rowAt(position)?.key ?? '', height);
  }
}

describe('webview/session/timeline/timelineModel', () => {
  it('follows the end until the user scrolls up, and counts new rows', () => {
    const { model, splice } = modelOf(100);
    assert.equal(model.scrollTopFor(viewport), 900);
    splice(100, 0, [100, 101]);
    measureAll(model, 10);
    assert.equal(model.scrollTopFor(viewport), 920);
    model.userScrolled(10_000, 500, viewport);
    assert.equal(model.isFollowing, false);
    splice(102, 0, [102, 103, 104]);
    assert.equal(model.newRows, 3);
    assert.equal(model.scrollTopFor(viewport), 500);
    model.userScrolled(0, model.heights.total - viewport, viewport);
    assert.deepEqual([model.isFollowing, model.newRows], [true, 0]);
  });

  it('keeps the scroll position when rows above are added, removed or measured', () => {
    const { model, splice } = modelOf(100);
    model.userScrolled(10_000, 503, viewport);
    splice(0, 0, [-3, -2, -1]);
    measureAll(model, 10);
    assert.equal(model.scrollTopFor(viewport), 533);
    splice(10, 5, []);
    assert.equal(model.scrollTopFor(viewport), 483);
    model.measure(0, 'k-3', 200);
    assert.equal(model.scrollTopFor(viewport), 673);
    // If the anchor row is removed, the next row takes its position.
    const position = model.positionOf('k50');
    splice(position, 1, []);
    assert.equal(model.scrollTopFor(viewport), 673);
  });

  it('replaces rows in place and keeps measured heights by key', () => {
    const { model, rows } = modelOf(10);
    model.measure(4, 'k4', 33);
    model.takeSplice(rows.apply({ at: 4, remove: 1, rows: [tool(4)] }));
    assert.equal(model.heights.at(4), 33);
    assert.equal(model.rowAt(4)?.kind, 'tool');
  });

  it('shows filtered rows at their positions, and follows changes', () => {
    const rows = new TranscriptRows();
    rows.apply({ at: 0, remove: 0, rows: [message(0), status(1), message(2), status(3), message(4)] });
    const model = new TimelineModel(rows);
    model.filter(row => row.kind === 'agent');
    const shown = (): (string | undefined)[] => Array.from({ length: model.length }, (_, position) => model.rowAt(position)?.key);
    assert.deepEqual(shown(), ['k0', 'k2', 'k4']);
    assert.deepEqual([model.positionOf('k1'), model.positionOf('k4')], [-1, 2]);
    model.takeSplice(rows.apply({ at: 5, remove: 0, rows: [status(5), message(6)] }));
    assert.deepEqual(shown(), ['k0', 'k2', 'k4', 'k6']);
    model.takeSplice(rows.apply({ at: 1, remove: 0, rows: [message(10)] }));
    assert.deepEqual(shown(), ['k0', 'k10', 'k2', 'k4', 'k6']);
    model.takeSplice(rows.apply({ at: 0, remove: 1, rows: [status(0)] }));
    assert.deepEqual(shown(), ['k10', 'k2', 'k4', 'k6']);
    model.takeSplice(rows.apply({ at: 1, remove: 1, rows: [message(10, 'again')] }));
    assert.deepEqual(shown(), ['k10', 'k2', 'k4', 'k6']);
    model.filter(undefined);
    assert.equal(model.length, rows.length);
  });

  it('stays at the current row, or the next one, when the filter changes', () => {
    const { model } = modelOf(100);
    model.userScrolled(10_000, 505, viewport);
    model.filter(row => row.seq % 2 === 1);
    assert.equal(model.scrollTopFor(viewport), 255);
    model.filter(undefined);
    assert.equal(model.scrollTopFor(viewport), 515);
  });

  it('reveals a row with the least scrolling', () => {
    const { model } = modelOf(100);
    model.reveal(50, 0, viewport);
    assert.equal(model.scrollTopFor(viewport), 410);
    model.reveal(45, 410, viewport);
    assert.equal(model.scrollTopFor(viewport), 410);
    model.reveal(20, 410, viewport);
    assert.equal(model.scrollTopFor(viewport), 200);
    model.reveal(80, 200, viewport, 'third');
    assert.ok(Math.abs(model.scrollTopFor(viewport) - (800 - viewport / 3)) < 0.001);
  });

  it('returns to a stored position once its row exists', () => {
    const { model, splice } = modelOf(50);
    assert.equal(model.restore({ key: 'k70', offset: -4 }), false);
    splice(
      50,
      0,
      Array.from({ length: 50 }, (_, index) => 50 + index),
    );
    measureAll(model, 10);
    assert.equal(model.restore({ key: 'k70', offset: -4 }), true);
    assert.equal(model.scrollTopFor(viewport), 704);
    assert.deepEqual(model.savedAnchor, { key: 'k70', offset: -4 });
  });

  it('renders the visible rows and a few more', () => {
    const { model } = modelOf(50_000);
    const window = model.window(viewport);
    assert.deepEqual(window.rangeAt(100_000, 20), { from: 9998, to: 10_013 });
    assert.deepEqual(window.rangeAt(0, 20), { from: 0, to: 13 });
    assert.deepEqual(window.rangeAt(model.heights.total - viewport, 20).to, 50_000);
  });
});
