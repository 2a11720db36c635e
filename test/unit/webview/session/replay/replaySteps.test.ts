import assert from 'node:assert/strict';
import type { Row } from '../../../../../src/shared/session/rows/rows';
import { momentAt, pauseBefore, type ReplayMark, stepFrom, toReplayMarks } from '../../../../../src/webview/session/replay/replaySteps';

const marks: readonly ReplayMark[] = [
  { seq: 0, at: 1000, is: 'message' },
  { seq: 1, at: undefined },
  { seq: 3, at: 5000 },
  { seq: 5, at: 5500, is: 'error' },
  { seq: 6, at: 90_000, is: 'message' },
];

describe('webview/session/replay/replaySteps', () => {
  it('steps by event, also past unknown ones', () => {
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

  it('knows the moment of an event, or of the last one before it', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 8].map(seq => momentAt(marks, seq)),
      [1000, 1000, 1000, 5000, 5000, 90_000],
    );
    assert.equal(momentAt([], 3), undefined);
  });

  it('waits as long as the event took, at a speed and within limits', () => {
    assert.equal(pauseBefore(marks, 4, 1, 0), 500);
    assert.equal(pauseBefore(marks, 4, 5, 0), 100);
    assert.equal(pauseBefore(marks, 5, 1, 0), 2000);
    assert.equal(pauseBefore(marks, 4, 1000, 0), 20);
    assert.equal(pauseBefore(marks, 4, 1000, 500), 500);
  });

  it('knows the events of collapsed rows, in order', () => {
    const base = { type: '', summary: '' };
    const rows: readonly Row[] = [
      { ...base, key: 'a', kind: 'user', seq: 0, at: 1, parts: [] },
      { ...base, key: 'b', kind: 'model', seq: 1, at: 2, isError: true, end: { seq: 5, at: 6 } },
      {
        ...{ ...base, key: 'c', kind: 'tool', seq: 2, at: 3, tool: 'builtin', name: 'bash', input: { type: 'json', text: '' } },
        ...{ state: 'done', confirmation: { result: 'allow', seq: 3, at: 4 }, result: { parts: [], isError: false, seq: 4, at: 5 } },
      },
      { ...base, key: 'd', kind: 'gap', seq: 5, at: undefined, problem: 'x' },
      { ...base, key: 'e', kind: 'error', seq: 6, at: 7, errorType: 'x', message: 'x' },
    ];
    assert.deepEqual(toReplayMarks(rows), [
      { seq: 0, at: 1, is: 'message' },
      { seq: 1, at: 2 },
      { seq: 2, at: 3 },
      { seq: 3, at: 4 },
      { seq: 4, at: 5 },
      { seq: 5, at: 6, is: 'error' },
      { seq: 6, at: 7, is: 'error' },
    ]);
  });
});
