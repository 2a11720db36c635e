import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { BatchStore } from '../../../../../src/features/batches/batchStore';
import { BatchWatcher } from '../../../../../src/features/batches/watching/batchWatcher';
import { LedgerChanges } from '../../../../../src/features/batches/watching/ledgerChanges';
import { WatchLease } from '../../../../../src/features/batches/watching/watchLease';
import type { Connection } from '../../../../../src/features/connection/connection';
import type { LockHolder } from '../../../../../src/features/ledger/lockHolder';
import { SubmissionRegistry } from '../../../../../src/features/ledger/submissionRegistry';
import { useFolder } from '../../../../helpers/useFolder';
import { recordOf } from '../../ledger/ledgerOfTest';
import { batch } from '../batchUnderTest';

const ids = Array.from({ length: 5 }, (_, index) => `${String(index).repeat(8)}-1111-4111-8111-111111111111`);
const connection = { name: 'A', baseUrl: 'http://a', isEmulator: false } as Connection;

const submissionOf = (id: string, batchId: string) =>
  recordOf({ id, connection: 'A', origin: 'http://a', source: `file:///${batchId}.jsonl`, batchId, state: 'created' });

describe('features/batches/watching with several windows on one disk', () => {
  const folder = useFolder();
  const alive = new Set<number>();
  const lifeOf = async (holder: LockHolder | undefined) => (holder !== undefined && alive.has(holder.pid) ? 'alive' : 'dead');
  const clock = { time: 0, now: () => Date.parse('2026-11-21T12:00:00Z') + clock.time, monotonic: () => clock.time };
  const calls: string[] = [];
  const told: string[] = [];
  const open: { dispose(): unknown }[] = [];
  let status = 'in_progress';
  let answering: ((call: number) => Promise<void>) | undefined;

  const batchOf = (id: string) => batch(status, status === 'ended' ? { succeeded: 1 } : { processing: 1 }, { id });
  const client = {
    batches: {
      retrieve: async (id: string) => {
        calls.push(id);
        await answering?.(calls.length);
        return { data: batchOf(id), requestId: undefined };
      },
    },
  } as unknown as ServiceClient;

  function openWindow(processId: number, isEmulator = false) {
    alive.add(processId);
    const warn = () => {};
    const registry = new SubmissionRegistry({ folder: folder(), log: { warn }, clock });
    const lease = new WatchLease({ folder: folder(), warn, clock, holder: { pid: processId, place: 'here' }, lifeOf });
    const changes = new LedgerChanges({ root: folder(), reload: () => registry.reload(), onFile: () => {}, warn, clock });
    const watcher = new BatchWatcher({
      connections: { current: undefined, access: undefined, state: 'none', find: () => ({ ...connection, isEmulator }) },
      reach: async () => client,
      registry,
      store: new BatchStore(registry),
      lease,
      catchUp: () => changes.catchUp(),
      isVisible: () => false,
      isFocused: () => true,
      isTrusted: () => true,
      isReachable: () => true,
      fetches: { begin: () => ({ fetching: { tries: 0, at: `${processId}` } }), waitOf: () => undefined, attempt: async () => undefined },
      onEnded: ({ id }) => told.push(`${id} ${processId}`),
      findOut: async () => {},
      warn,
      clock,
    });
    open.push(registry, { dispose: () => lease.release() }, changes);
    return { registry, poll: () => watcher.poll(new AbortController().signal) };
  }

  beforeEach(() => {
    calls.length = 0;
    told.length = 0;
    status = 'in_progress';
    answering = undefined;
  });

  afterEach(async () => {
    for (const one of open.splice(0)) {
      await one.dispose();
    }
  });

  it('send the requests of one, continue when the leader dies, show the same, and notify once', async () => {
    const windows = [1, 2, 3].map(processId => openWindow(processId));
    for (const [index, id] of ids.entries()) {
      await windows[index % 3]?.registry.save(submissionOf(id, `b${index}`));
    }
    for (let round = 0; round < 4; round++) {
      await Promise.all(windows.map(window => window.poll()));
      clock.time += 2_000;
    }
    assert.equal(calls.length, 4 * ids.length, 'each batch once a round');
    alive.clear();
    const later = [4, 5].map(processId => openWindow(processId));
    calls.length = 0;
    status = 'ended';
    await Promise.all(later.map(window => window.poll()));
    assert.equal(calls.length, ids.length, 'one of the others took over, and only one');
    await Promise.all(later.map(window => window.poll()));
    for (const window of later) {
      assert.deepEqual(
        window.registry.all().map(({ batch }) => batch?.processing_status),
        ids.map(() => 'ended'),
      );
    }
    assert.deepEqual(told.map(one => one.split(' ')[0]).sort(), [...ids].sort());
  });

  it('notify once of an end that two windows detect at the same time, and keep the claim of one of them', async () => {
    const windows = [openWindow(1, true), openWindow(2, true)];
    const [id = ''] = ids;
    await windows[0]?.registry.save(submissionOf(id, 'b0'));
    status = 'ended';
    // Neither window gets a response before both have sent a request.
    let open = () => {};
    const bothAsked = new Promise<void>(resolve => {
      open = resolve;
    });
    answering = async call => (call === 2 ? open() : await bothAsked);
    await Promise.all(windows.map(window => window.poll()));
    const [[, teller] = []] = told.map(one => one.split(' '));
    await windows[0]?.registry.reload();
    assert.deepEqual([told.length, windows[0]?.registry.find(id)?.fetching?.at], [1, teller]);
  });
});
