import assert from 'node:assert/strict';
import { findAnswer } from '../../../../src/features/jsonl/answerPlaces';
import { UntouchedLines } from '../../../../src/features/jsonl/lineChanges';
import type { ResultEntry } from '../../../../src/jsonl/resultsReport';

function entryFor(customId: string, line: number): ResultEntry {
  return {
    row: line,
    customId,
    line,
    state: 'succeeded',
    stopReason: undefined,
    errorType: undefined,
    inputTokens: 0,
    outputTokens: 0,
    offset: 0,
    length: 0,
  };
}

const entries = [entryFor('a', 0), entryFor('line-2', 1), entryFor('c', 2)];
const results = {
  entryOfId: (id: string) => entries.find(entry => entry.customId === id),
  entryOfLine: (line: number) => entries.find(entry => entry.line === line),
};

function idsOf(...ids: readonly (string | undefined)[]) {
  return { idOfLine: (line: number) => ids[line], lineOfId: (id: string) => ids.indexOf(id) };
}

describe('features/jsonl/answerPlaces', () => {
  it('follows an id to the line where it stands now', () => {
    assert.equal(findAnswer(3, idsOf('x', 'y', 'z', 'a'), results, undefined)?.customId, 'a');
    assert.equal(findAnswer(0, idsOf('x'), results, undefined), undefined);
  });

  it('shows the answer of a doubled id at its first line only', () => {
    const ids = idsOf('a', 'a');
    assert.equal(findAnswer(0, ids, results, undefined)?.customId, 'a');
    assert.equal(findAnswer(1, ids, results, undefined), undefined);
  });

  it('answers a line without id only while it is known to be the line that was sent', () => {
    const ids = idsOf(undefined, undefined, undefined, undefined);
    assert.equal(findAnswer(1, ids, results, undefined), undefined);
    const untouched = new UntouchedLines(3);
    assert.equal(findAnswer(1, ids, results, untouched)?.customId, 'line-2');
    untouched.change([{ start: 0, removed: 1, inserted: 2 }]);
    assert.equal(findAnswer(1, ids, results, untouched), undefined);
    assert.equal(findAnswer(2, ids, results, untouched)?.customId, 'line-2');
  });
});
