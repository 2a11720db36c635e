import assert from 'node:assert/strict';
import { deletePart } from '../../../../../src/features/batches/groups/deletePart';
import { fillPlaces as t } from '../../requests/fillPlaces';
import { failure } from '../../sessions/panel/sessionUnderTest';

describe('features/batches/groups/deletePart', () => {
  /** What is written down of the part when the service answers so. */
  async function deleted(answer: () => Promise<never>): Promise<readonly object[]> {
    const written: object[] = [];
    const registry = { update: async (id: string, change: object) => written.push({ id, ...change }) };
    await deletePart({ delete: answer }, registry as never, { id: 'p1', batchId: 'msgbatch_1' }, t).catch(error => {
      written.push({ error: error.message });
    });
    return written;
  }

  it('writes down that a batch is deleted only when the service has deleted it', async () => {
    assert.deepEqual(await deleted(async () => ({ data: { id: 'msgbatch_1' }, requestId: undefined }) as never), [
      { id: 'p1', deleted: true },
    ]);
    const isRefused = async (error: Error) => await deleted(() => Promise.reject(error));
    // Another key may not see a batch that is there.
    assert.deepEqual(await isRefused(failure('not_found', 'refused', 404)), [
      { error: 'it was not found: it is deleted already, or this key does not see it' },
    ]);
    assert.deepEqual(await isRefused(failure('api', 'refused', 500)), [{ error: 'lab answered 500: ' }]);
  });
});
