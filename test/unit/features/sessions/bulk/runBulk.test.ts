import assert from 'node:assert/strict';
import { describeBulk, listNames, runBulk } from '../../../../../src/features/sessions/bulk/bulkSessions';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

const archived = (count: number) => `Sessions archived: ${count}.`;

describe('features/sessions/bulk/runBulk', () => {
  const controller = () => new AbortController();
  const run = (act: (name: string) => Promise<void>, signal = controller().signal, onDone = (_: number) => {}) =>
    runBulk(['a', 'b', 'c', 'd', 'e'], act, { signal, nameOf: name => name.toUpperCase(), onDone });

  it('processes each once, continues after a failure, and names failed ones', async () => {
    const acted: string[] = [];
    const counts: number[] = [];
    const result = await run(
      async name => {
        acted.push(name);
        if (name === 'b') {
          throw 'it runs.';
        }
      },
      undefined,
      count => counts.push(count),
    );
    assert.deepEqual([acted.sort().join(''), counts.at(-1)], ['abcde', 5]);
    assert.deepEqual(result, { done: 4, left: 0, failures: [{ name: 'B', reason: 'it runs.' }] });
    assert.equal(describeBulk(result, archived, fillPlaceholders), 'Sessions archived: 4. Failed: 1. "B": it runs.');
  });

  it('starts no further items after cancellation, and counts the remaining ones', async () => {
    const user = controller();
    const result = await run(async name => {
      if (name === 'a') {
        user.abort();
      }
    }, user.signal);
    assert.equal(result.done + result.left, 5);
    assert.ok(result.left >= 2);
    assert.match(describeBulk(result, archived, fillPlaceholders), /^Sessions archived: \d\. Not processed: \d\.$/);
  });

  it('names some items in the question and counts the others', () => {
    const names = Array.from({ length: 10 }, (_, number) => `s${number}`);
    assert.equal(listNames(names, fillPlaceholders).split('\n').at(-1), 'and 2 more');
    assert.equal(listNames(['x'], fillPlaceholders), '• x');
  });
});
