import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorDetails } from '../../../../../src/client/errors';
import type { MessageBatch } from '../../../../../src/client/schemas/messageBatches';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { BatchStore } from '../../../../../src/features/batches/batchStore';
import type { Submission } from '../../../../../src/features/batches/ledger/submission';
import { BatchWatcher } from '../../../../../src/features/batches/watching/batchWatcher';
import type { Connection } from '../../../../../src/features/connection/connection';
import { MemoryRegistry } from '../../../../helpers/memoryRegistry';

const start = Date.parse('2026-11-21T12:00:00Z');

function batchOf(id: string, status: string): MessageBatch {
  const ended = status === 'ended';
  return {
    id,
    type: 'message_batch',
    processing_status: status,
    request_counts: { processing: ended ? 0 : 2, succeeded: ended ? 2 : 0, errored: 0, canceled: 0, expired: 0 },
  };
}

/** A service, a registry and a window around one watcher. */
class World {
  readonly calls: string[] = [];
  readonly ended: string[] = [];
  readonly batches = new Map<string, MessageBatch>();
  failure: unknown;
  visible = false;
  focused = true;
  reachable = true;
  trusted = true;
  now = start;
  readonly registry = new MemoryRegistry();
  readonly store = new BatchStore(this.registry);
  readonly connection = { name: 'A', baseUrl: 'http://a', isEmulator: false } as Connection;

  readonly watcher = new BatchWatcher({
    connections: {
      current: this.connection,
      state: 'ready',
      find: name => (name === 'A' ? this.connection : undefined),
      client: async () => this.client(),
    },
    registry: this.registry,
    store: this.store,
    isVisible: () => this.visible,
    isFocused: () => this.focused,
    isTrusted: () => this.trusted,
    isReachable: () => this.reachable,
    onEnded: submission => this.ended.push(submission.id),
    warn: () => {},
    clock: { now: () => this.now, monotonic: () => this.now },
  });

  submit(id: string): void {
    this.batches.set(`b-${id}`, batchOf(`b-${id}`, 'in_progress'));
    this.registry.saved.set(id, {
      id,
      connection: 'A',
      batchId: `b-${id}`,
      state: 'created',
      startedAt: new Date(this.now).toISOString(),
    } as Submission);
  }

  look(): Promise<number | undefined> {
    return this.watcher.look(new AbortController().signal);
  }

  private client(): ServiceClient {
    const answer = <T>(call: string, data: () => T): Promise<T> => {
      this.calls.push(call);
      return this.failure === undefined ? Promise.resolve(data()) : Promise.reject(this.failure);
    };
    return {
      batches: {
        list: () => answer('list', () => ({ items: [...this.batches.values()], nextCursor: undefined, requestId: undefined })),
        retrieve: (id: string) => answer(`retrieve ${id}`, () => ({ data: this.batches.get(id), requestId: undefined })),
      },
    } as unknown as ServiceClient;
  }
}

const failing = (details: Partial<ServiceErrorDetails>) =>
  new ServiceError('no', { kind: 'api', outcome: 'unknown', method: 'GET', host: 'a', path: '/', ...details });

describe('features/batches/watching/batchWatcher', () => {
  it('asks nothing while the view is hidden and nothing of ours runs', async () => {
    const world = new World();
    assert.equal(await world.look(), undefined);
    assert.deepEqual(world.calls, []);
  });

  it('retrieves ours while hidden, soon after the submission and seldom later', async () => {
    const world = new World();
    world.submit('s');
    assert.equal(await world.look(), 2_000);
    world.now += 200_000;
    assert.equal(await world.look(), 20_000);
    world.now += 3_600_000;
    assert.equal(await world.look(), 60_000);
    assert.deepEqual(new Set(world.calls), new Set(['retrieve b-s']));
  });

  it('lists while visible and does not retrieve what the list has shown', async () => {
    const world = new World();
    world.submit('s');
    world.visible = true;
    await world.look();
    assert.deepEqual(world.calls, ['list']);
    assert.equal(world.store.rows().length, 1);
  });

  it('looks more seldom without focus', async () => {
    const world = new World();
    world.submit('s');
    world.focused = false;
    assert.equal(await world.look(), 6_000);
  });

  it('tells once that a batch has ended, and rests', async () => {
    const world = new World();
    world.submit('s');
    await world.look();
    world.batches.set('b-s', batchOf('b-s', 'ended'));
    assert.equal(await world.look(), undefined);
    assert.equal(await world.look(), undefined);
    assert.deepEqual(world.ended, ['s']);
    assert.equal(world.registry.saved.get('s')?.batch?.processing_status, 'ended');
  });

  it('does not tell what another window has told', async () => {
    const world = new World();
    world.submit('s');
    world.registry.claimed.add('s');
    world.batches.set('b-s', batchOf('b-s', 'ended'));
    await world.look();
    assert.deepEqual(world.ended, []);
  });

  it('takes a batch that is gone from the service as deleted', async () => {
    const world = new World();
    world.submit('s');
    world.failure = failing({ kind: 'not_found', status: 404 });
    assert.equal(await world.look(), undefined);
    assert.equal(world.registry.saved.get('s')?.deleted, true);
  });

  it('backs off after failures, never before the service wants it, and recovers', async () => {
    const world = new World();
    world.submit('s');
    world.failure = failing({ kind: 'connection_lost' });
    assert.deepEqual([await world.look(), await world.look(), await world.look()], [4_000, 8_000, 16_000]);
    world.failure = failing({ kind: 'rate_limit', retryAfter: 120_000 });
    assert.equal(await world.look(), 120_000);
    const calls = world.calls.length;
    world.now += 20_000;
    assert.equal(await world.look(), 100_000, 'a look in between asks nothing');
    assert.equal(world.calls.length, calls);
    world.watcher.forgetWait();
    await world.look();
    assert.equal(world.calls.length, calls + 1, 'unless the user asked');
    world.failure = failing({ kind: 'connection_lost' });
    world.now += 200_000;
    for (let round = 0; round < 10; round++) {
      await world.look();
    }
    world.failure = failing({ kind: 'connection_lost' });
    assert.equal(await world.look(), 300_000);
    world.failure = undefined;
    assert.equal(await world.look(), 22_000);
  });

  it('sends nothing by itself from a workspace that is not trusted', async () => {
    const world = new World();
    world.submit('s');
    world.visible = true;
    world.trusted = false;
    assert.equal(await world.look(), undefined);
    assert.deepEqual(world.calls, []);
    world.trusted = true;
    await world.look();
    assert.deepEqual(world.calls, ['list']);
  });

  it('leaves a service alone that would have to be started first', async () => {
    const world = new World();
    world.submit('s');
    world.reachable = false;
    world.visible = true;
    assert.equal(await world.look(), undefined);
    assert.deepEqual(world.calls, []);
  });
});
