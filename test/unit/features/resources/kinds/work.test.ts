import assert from 'node:assert/strict';
import type { WorkItem } from '../../../../../src/client/resources/environments';
import { presentQueue, work } from '../../../../../src/features/resources/kinds/work';
import { context } from '../presenting';

const stats = (depth: number, polling: number | null, oldest: string | null = '2026-06-01T11:57:00Z') => ({
  type: 'work_queue_stats',
  depth,
  pending: 0,
  workers_polling: polling,
  oldest_queued_at: oldest,
});

describe('features/resources/kinds/work', () => {
  it('warns only if work is queued and no worker is active', () => {
    const stuck = presentQueue(stats(2, 0), context);
    assert.equal(stuck.icon, 'warning');
    assert.match(stuck.description, /^no workers · 2 queued · oldest 3 min\. ago/);
    assert.match(stuck.spoken, /Start a worker/);
    assert.equal(presentQueue(stats(2, 1), context).icon, undefined);
    assert.equal(presentQueue(stats(0, 0, null), context).icon, undefined);
    // A service that doesn't count its workers omits them.
    assert.deepEqual(presentQueue(stats(1, null), context), {
      description: '1 queued · oldest 3 min. ago',
      spoken: '1 queued · oldest 3 min. ago',
    });
  });

  it('offers to stop running work, to force stopping work, and keeps unknown states', () => {
    const abilities = (state: string) => work.row({ id: 'w', type: 'work', state, data: { id: 'sesn_1' } }, context).abilities;
    assert.match(abilities('queued'), /\bstoppable\b/);
    assert.match(abilities('stopping'), /\bstoppable\b/);
    assert.doesNotMatch(abilities('stopped'), /stoppable/);
    const button = (state: string) => work.acts?.stop?.confirm('w', context.translate, { id: 'w', type: 'work', state } as WorkItem).button;
    assert.deepEqual([button('active'), button('stopping')], ['Stop', 'Force Stop']);
    assert.equal(work.row({ id: 'w', type: 'work', state: 'dreaming' }, context).label, 'dreaming');
    assert.equal(work.session?.({ id: 'w', type: 'work', data: { type: 'session', id: 's' } }), 's');
    assert.equal(work.session?.({ id: 'w', type: 'work', data: { type: 'dream', id: 's' } }), undefined);
  });
});
