import assert from 'node:assert/strict';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { type Attachable, nameOfAttachable, readMembers } from '../../../../../src/features/sessions/attaching/askAttached';

const { signal } = new AbortController();
const failure = (status: number) =>
  new ServiceError('no', { kind: 'api', outcome: 'refused', method: 'GET', host: 'h', path: '/', status });

/** Creates a group that returns these pages or errors in order. The last page or error repeats. */
function callsOf(...answers: readonly (readonly Attachable[] | Error)[]) {
  let asked = 0;
  const calls = {
    list: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
      if (answer instanceof Error) {
        throw answer;
      }
      return { items: answer, nextCursor: asked < answers.length ? `page ${asked}` : undefined, requestId: undefined };
    },
  };
  return calls;
}

describe('features/sessions/attaching/askAttached', () => {
  it('reads all pages and leaves out archived members', async () => {
    const calls = callsOf([{ id: 'a' }, { id: 'b', archived_at: '2026-01-01T00:00:00Z' }], [{ id: 'c', archived_at: null }]);
    assert.deepEqual(await readMembers(calls, signal), { items: [{ id: 'a' }, { id: 'c', archived_at: null }], problem: undefined });
  });

  it('keeps the pages before a failure', async () => {
    const refused = failure(403);
    assert.deepEqual(await readMembers(callsOf([{ id: 'a' }], refused), signal), { items: [{ id: 'a' }], problem: refused });
  });

  it('names a member by any of its name fields', () => {
    assert.deepEqual(
      [
        { id: 'a', name: ' N ' },
        { id: 'b', display_name: 'D' },
        { id: 'c', name: ' ' },
        { id: 'd', name: null },
      ].map(nameOfAttachable),
      ['N', 'D', 'c', 'd'],
    );
  });
});
