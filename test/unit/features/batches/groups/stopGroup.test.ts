import assert from 'node:assert/strict';
import { isStopWanted, stopGroup } from '../../../../../src/features/batches/groups/sendRun';
import type { Submission } from '../../../../../src/features/ledger/submission';

describe('features/batches/groups/stopGroup', () => {
  it('stops waiting for a part in progress when the user cancels, and leaves the request to stop on disk', async () => {
    let part = { id: 'p', state: 'sending', group: { id: 'g', index: 0, count: 2 } } as Submission;
    const user = new AbortController();
    const registry = {
      all: () => [part],
      reload: async () => queueMicrotask(() => user.abort()),
      update: async (_: string, change: Partial<Submission>) => {
        part = { ...part, ...change };
        return part;
      },
      whileNoneBegins: async <T>(work: () => Promise<T>) => await work(),
    };
    await assert.rejects(stopGroup(registry as unknown as Parameters<typeof stopGroup>[0], 'g', user.signal), { name: 'AbortError' });
    assert.ok(isStopWanted([part], 'g'));
  });
});
