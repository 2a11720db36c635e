import assert from 'node:assert/strict';
import type { RowKind } from '../../../../../src/shared/session/rows';
import { momentAt, pauseBefore, type ReplayMark, stepFrom } from '../../../../../src/webview/session/replay/replaySteps';

const marks = [mark(0, 'user', 1000), mark(1, 'model', undefined), mark(3, 'tool', 5000), mark(5, 'error', 5500), mark(6, 'agent', 90_000)];

describe('webview/session/replay/replaySteps', () => {
  it('steps by event, also where events share a row', () => {
    assert.equal(stepFrom(marks, 3, 8, 'event', 1), 4);
    assert.equal(stepFrom(marks, 3, 8, 'event', -1), 2);
    assert.equal(stepFrom(marks, 0, 8, 'event', -1), undefined);
    assert.equal(stepFrom(marks, 8, 8, 'event', 1), undefined);
  });

  it('steps by message and by error', () => {
    assert.equal(stepFrom(marks, 0, 8, 'message', 1), 6);
    assert.equal(stepFrom(marks, 6, 8, 'message', -1), 0);
    assert.equal(stepFrom(marks, 6, 8, 'message', 1), undefined);
    assert.equal(stepFrom(marks, 0, 8, 'error', 1), 5);
    assert.equal(stepFrom(marks, 5, 8, 'error', -1), undefined);
    assert.equal(stepFrom(marks, 4, 8, 'error', 1), 5);
  });

  it('knows the moment of an event, or of the last before it', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 8].map(seq => momentAt(marks, seq)),
      [1000, 1000, 1000, 5000, 5000, 90_000],
    );
    assert.equal(momentAt([], 3), undefined);
  });

  it('waits as long as it took, at a speed and within bounds', () => {
    assert.equal(pauseBefore(marks, 4, 1, 0), 500);
    assert.equal(pauseBefore(marks, 4, 5, 0), 100);
    assert.equal(pauseBefore(marks, 5, 1, 0), 2000);
    assert.equal(pauseBefore(marks, 4, 1000, 0), 20);
    assert.equal(pauseBefore(marks, 4, 1000, 500), 500);
  });
});

function mark(seq: number, kind: RowKind, at: number | undefined): ReplayMark {
  return { seq, kind, at };
}
