import assert from 'node:assert/strict';
import { describePurpose } from '../../../../src/features/batches/batchPresentation';
import { standingOf } from '../../../../src/features/batches/standing';
import { toRuns } from '../../../../src/features/ledger/runs';
import type { FetchedResults, Submission } from '../../../../src/features/ledger/submission';
import { submission } from '../ledger/ledgerOfTest';

describe('features/batches/standing', () => {
  it('offers the rest of a canary until a rest became a batch, or may have', () => {
    const canary = submission('canary', 1, {
      selection: { purpose: 'canary', firstLine: 0, lastLine: 9, digest: 'd' },
      results: { joinedPath: '1', fetchedAt: '' } as FetchedResults,
    });
    const wordsWith = (...states: readonly Submission['state'][]) => {
      const rests = states.map((state, at) => submission(`rest${at}`, at + 2, { state, follows: { runId: 'canary', purpose: 'rest' } }));
      const runs = toRuns([canary, ...rests]);
      const run = runs.find(({ id }) => id === 'canary');
      assert.ok(run);
      return standingOf(runs, run);
    };
    assert.equal(wordsWith(), 'showable canary');
    assert.equal(wordsWith('failed', 'abandoned'), 'showable canary');
    for (const state of ['created', 'sending', 'unknown'] as const) {
      assert.equal(wordsWith('failed', state), 'showable', state);
    }
  });

  it('tells runs of one file apart by what they sent of it', () => {
    const context = { translate: (text: string) => text, locale: 'en', now: 0 };
    const wordsOf = (purpose: 'part' | 'canary' | 'rest' | 'changed') =>
      describePurpose({ purpose, firstLine: 0, lastLine: 1, digest: '' }, context);
    assert.deepEqual((['canary', 'rest', 'changed', 'part'] as const).map(wordsOf), [
      'canary',
      'rest after the canary',
      'what changed',
      '',
    ]);
  });
});
