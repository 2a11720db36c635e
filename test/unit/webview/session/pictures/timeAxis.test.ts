import assert from 'node:assert/strict';
import { toTimeAxis } from '../../../../../src/webview/session/pictures/timeAxis';
import { TimeFolds } from '../../../../../src/webview/session/pictures/timeFolds';

const start = Date.UTC(2026, 0, 5, 9, 30);
const minute = 60_000;

describe('webview/session/pictures/timeAxis', () => {
  it('shows the time since the start', () => {
    const span = { from: start, to: start + 10 * minute };
    const axis = toTimeAxis({ axis: 'time', ...span }, new TimeFolds(span, []), 500);
    assert.deepEqual(
      axis.ticks.map(({ x, words }) => [x, words]),
      [
        [0, '0:00'],
        [100, '2:00'],
        [200, '4:00'],
        [300, '6:00'],
        [400, '8:00'],
        [500, ''],
      ],
    );
    assert.equal(axis.toX(start + 5 * minute), 250);
    assert.deepEqual(axis.breaks, []);
  });

  it('leaves out a long wait as the lanes do', () => {
    const span = { from: start, to: start + 500 * minute };
    const wait = { from: start + 5 * minute, to: start + 495 * minute, isWaiting: true };
    const folds = new TimeFolds(span, [wait]);
    const axis = toTimeAxis({ axis: 'time', ...span }, folds, 500);
    const toX = (moment: number) => axis.toX(folds.toPosition(moment));
    assert.equal(axis.breaks.length, 1);
    assert.ok(toX(wait.from) > 200 && toX(wait.to) < 300);
    assert.deepEqual(
      [axis.breaks[0]?.from, axis.breaks[0]?.to].map(x => Math.round(x ?? 0)),
      [wait.from, wait.to].map(moment => Math.round(toX(moment))),
    );
    assert.ok(axis.ticks.some(({ words }) => words.startsWith('8:')));
  });

  it('counts events from 1 if there are no times', () => {
    const span = { from: 0, to: 4 };
    const axis = toTimeAxis({ axis: 'order', ...span }, new TimeFolds(span, []), 500);
    assert.deepEqual(
      axis.ticks.map(({ words }) => words),
      ['1', '2', '3', '4', ''],
    );
  });
});
