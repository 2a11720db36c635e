import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bringRequests, keepRequests } from '../../../../../src/features/batches/sheet/keptRequests';
import type { ChosenRequests } from '../../../../../src/features/batches/submitting/chosenRequests';
import { runs } from '../../../../helpers/runs';

const chosen = (lines: readonly number[]): ChosenRequests => ({
  ...{ purpose: 'canary', sha256: 'ab', description: 'drawn from all lengths' },
  lines: Uint32Array.from(lines),
});
/** What a window gives back of what it kept. */
const reloaded = (kept: unknown) => bringRequests(JSON.parse(JSON.stringify(kept)));

describe('features/batches/sheet/keptRequests', () => {
  it('brings back every choice of lines as it was, in shared memory', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(200), { maxLength: 150 }), numbers => {
        fc.pre(numbers.length > 0);
        const lines = [...numbers].sort((a, b) => a - b);
        const back = reloaded(keepRequests(chosen(lines)));
        assert.deepEqual([...(back?.lines ?? [])], lines);
        assert.ok(back?.lines.buffer instanceof SharedArrayBuffer);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('keeps a run of lines in a few characters', () => {
    const lines = Array.from({ length: 100_000 }, (_, line) => line + (line < 40 ? 3 : 5));
    assert.equal(keepRequests(chosen(lines))?.lines, '3+40,2+99960');
  });

  it('keeps what the choice was made by, and of its note the text', () => {
    const whole: ChosenRequests = {
      ...chosen([1]),
      note: { text: '60 keep their answers.', showWhy: async () => undefined },
      follows: { runId: 'r1', purpose: 'rest' },
      compared: { connection: 'Lab', submissions: ['s1'] },
    };
    const { lines, ...back } = reloaded(keepRequests(whole)) ?? {};
    assert.deepEqual(back, {
      ...{ purpose: 'canary', sha256: 'ab', description: 'drawn from all lengths' },
      ...{ note: { text: '60 keep their answers.' }, follows: whole.follows, compared: whole.compared },
    });
  });

  it('keeps no choice that takes too much room, and brings back none that is not ours', () => {
    assert.equal(keepRequests(chosen(Array.from({ length: 200_000 }, (_, index) => index * 1000))), undefined);
    const kept = { purpose: 'canary', sha256: 'ab', description: 'x' };
    for (const lines of ['', 'a', '1+', '-1', '1,,2', '999999999+999999999', undefined, [1]]) {
      assert.equal(reloaded({ ...kept, lines }), undefined, String(lines));
    }
    assert.equal(reloaded({ ...kept, lines: '1', purpose: 'all' }), undefined);
  });
});
