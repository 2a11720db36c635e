import assert from 'node:assert/strict';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { type Attachable, AttachableGroup, nameOfAttachable } from '../../../../../src/features/sessions/attaching/attachableGroup';

const { signal } = new AbortController();
const failure = (status: number) =>
  new ServiceError('no', { kind: 'api', outcome: 'refused', method: 'GET', host: 'h', path: '/', status });

/** A group that returns these pages or errors in order. The last one repeats. */
function groupOf(...answers: readonly (readonly Attachable[] | Error)[]) {
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
  return { group: new AttachableGroup(calls, signal), asked: () => asked };
}

describe('features/sessions/attaching/attachableGroup', () => {
  it('reads all pages once and leaves out what is archived', async () => {
    const { group, asked } = groupOf([{ id: 'a' }, { id: 'b', archived_at: '2026-01-01T00:00:00Z' }], [{ id: 'c', archived_at: null }]);
    assert.deepEqual(await group.members(), { items: [{ id: 'a' }, { id: 'c', archived_at: null }], problem: undefined });
    await group.members();
    assert.deepEqual([asked(), group.isAbsent], [2, false]);
  });

  it('knows of a group that the service does not have', async () => {
    const { group } = groupOf(failure(404));
    await group.members();
    assert.equal(group.isAbsent, true);
  });

  it('keeps what came before a failure, and asks again the next time', async () => {
    const refused = failure(403);
    const { group } = groupOf([{ id: 'a' }], refused, [{ id: 'a' }, { id: 'b' }]);
    assert.deepEqual(await group.members(), { items: [{ id: 'a' }], problem: refused });
    assert.equal(group.isAbsent, false);
    assert.deepEqual((await group.members()).items, [{ id: 'a' }, { id: 'b' }]);
  });

  it('has no members to choose where the client has no calls, and is there all the same', async () => {
    const group = new AttachableGroup(undefined, signal);
    assert.deepEqual([await group.members(), group.isAbsent], [{ items: [], problem: undefined }, false]);
  });

  it('names a member by whichever name it has', () => {
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
