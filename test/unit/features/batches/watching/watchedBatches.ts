import type { MessageBatch } from '../../../../../src/client/resources/messageBatches';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { ServiceError, type ServiceErrorDetails } from '../../../../../src/client/transport/errors';
import { BatchStore } from '../../../../../src/features/batches/batchStore';
import { BatchWatcher } from '../../../../../src/features/batches/watching/batchWatcher';
import type { Connection } from '../../../../../src/features/connection/connection';
import type { Submission } from '../../../../../src/features/ledger/submission';
import { MemoryRegistry } from '../../../../helpers/memoryRegistry';
import { batch } from '../batchUnderTest';

export const start = Date.parse('2026-11-21T12:00:00Z');

export const batchOf = (id: string, status: string) => batch(status, status === 'ended' ? { succeeded: 2 } : { processing: 2 }, { id });

/** A lease that several windows in one process share. */
export class SharedLease {
  holder: object | undefined;

  of(window: object) {
    return {
      take: async () => {
        this.holder ??= window;
        return this.holder === window;
      },
      release: async () => {
        this.holder = this.holder === window ? undefined : this.holder;
      },
    };
  }
}

/** Services `A` and `B`, an emulator, and the ledger of this machine. */
export class World {
  readonly calls: string[] = [];
  readonly ended: string[] = [];
  readonly batches = new Map<string, MessageBatch>();
  readonly failures = new Map<string, unknown>();
  /** Services that never respond. */
  readonly hanging = new Set<string>();
  /** Current addresses of services that have moved since the batches were sent. */
  readonly moved = new Map<string, string>();
  now = start;
  monotonic = 0;
  readonly registry = new MemoryRegistry();
  /** Submissions whose results were fetched again, with the outcome. */
  readonly fetchedAgain: string[] = [];
  fetchError: unknown;
  isFetching = false;
  readonly fetches = {
    begin: () => (this.isFetching ? { fetching: { tries: 0, at: new Date(this.now).toISOString() } } : {}),
    waitOf: ({ id, fetching }: Submission) =>
      fetching === undefined || this.fetchedAgain.includes(id) ? undefined : Date.parse(fetching.at) + 30_000 - this.now,
    attempt: async ({ id }: Submission) => {
      this.fetchedAgain.push(id);
      return this.fetchError;
    },
  };
  readonly lease = new SharedLease();

  pass(milliseconds: number): void {
    this.now += milliseconds;
    this.monotonic += milliseconds;
  }

  submit(id: string, change: Partial<Submission> = {}): void {
    this.batches.set(`b-${id}`, batchOf(`b-${id}`, 'in_progress'));
    this.registry.saved.set(id, {
      id,
      connection: 'A',
      origin: `http://${(change.connection ?? 'A').toLowerCase()}`,
      source: `file:///${id}.jsonl`,
      batchId: `b-${id}`,
      state: 'created',
      startedAt: new Date(this.now).toISOString(),
      ...change,
    } as Submission);
  }

  end(id: string): void {
    this.batches.set(`b-${id}`, batchOf(`b-${id}`, 'ended'));
  }

  /** Revision of the API key. A test increments it to simulate a new key. */
  key = 1;
  /** Called before the response to each service call. */
  onCall: (call: string) => void = () => {};

  client(service: string): ServiceClient {
    const answer = <T>(call: string, data: () => T): Promise<T> => {
      this.calls.push(call);
      this.onCall(call);
      if (this.hanging.has(service)) {
        return new Promise<T>(() => {});
      }
      const failure = this.failures.get(service);
      return failure === undefined ? Promise.resolve(data()) : Promise.reject(failure);
    };
    return {
      baseUrl: `${this.moved.get(service) ?? `http://${service.toLowerCase()}`}/v1`,
      batches: {
        list: () => answer('list', () => ({ items: [...this.batches.values()], nextCursor: undefined, requestId: undefined })),
        retrieve: (id: string) => answer(`retrieve ${id}`, () => ({ data: this.batches.get(id), requestId: undefined })),
      },
    } as unknown as ServiceClient;
  }
}

export class Window {
  visible = false;
  focused = true;
  reachable = true;
  trusted = true;
  readonly store: BatchStore;
  readonly watcher: BatchWatcher;

  constructor(
    readonly world: World,
    findOut: (submission: Submission) => Promise<Submission | undefined> = async () => undefined,
    patience?: number,
  ) {
    this.store = new BatchStore(world.registry);
    const connections = ['A', 'B', 'Emulator'].map(
      name => ({ name, baseUrl: `http://${name}`, isEmulator: name === 'Emulator' }) as Connection,
    );
    this.watcher = new BatchWatcher(
      {
        connections: {
          current: connections[0],
          get access() {
            return `A ${world.key}`;
          },
          state: 'ready',
          find: name => connections.find(connection => connection.name === name),
        },
        reach: async ({ name }) => world.client(name),
        registry: world.registry,
        store: this.store,
        lease: world.lease.of(this),
        catchUp: async () => {},
        isVisible: () => this.visible,
        isFocused: () => this.focused,
        isTrusted: () => this.trusted,
        isReachable: () => this.reachable,
        fetches: world.fetches,
        onEnded: ({ id }) => world.ended.push(id),
        findOut,
        warn: () => {},
        clock: { now: () => world.now, monotonic: () => world.monotonic },
      },
      patience,
    );
  }

  poll(): Promise<number | undefined> {
    return this.watcher.poll(new AbortController().signal);
  }
}

export const failing = (details: Partial<ServiceErrorDetails>) =>
  new ServiceError('no', { kind: 'api', outcome: 'unknown', method: 'GET', host: 'a', path: '/', ...details });
