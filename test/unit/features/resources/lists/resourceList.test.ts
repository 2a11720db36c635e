import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { everyKind, kinds } from '../../../../../src/features/resources/kinds';
import { ResourceList, ResourceStore } from '../../../../../src/features/resources/lists/resourceList';
import type { Resource, ResourceKind } from '../../../../../src/features/resources/resourceKind';
import { hiddenSurroundings } from '../hiddenSurroundings';

type Page = Awaited<ReturnType<ReturnType<ResourceKind['calls']>['list']>>;

/** A list with a fake service, view and clock. */
class PlayedList {
  readonly asked: string[] = [];
  readonly delays: number[] = [];
  shown = true;
  focused = true;
  archived = false;
  access = 'first';
  now = 0;
  answer: () => Promise<Page> = async () => page([]);
  private due: (() => void) | undefined;
  readonly list: ResourceList;

  constructor(kind: Partial<ResourceKind> = {}) {
    const played: ResourceKind = {
      kind: 'thing',
      icon: 'x',
      title: () => 'Things',
      calls: () => ({
        list: options => {
          this.asked.push(`${options?.limit} ${options?.cursor ?? '-'} ${options?.includeArchived ?? '-'}`);
          return this.answer();
        },
        retrieve: () => Promise.reject(new Error('not asked')),
      }),
      name: ({ id }) => id,
      row: ({ id }) => ({ label: id, description: '', icon: 'x', color: undefined, abilities: 'resource', spoken: id }),
      facts: () => [],
      ...kind,
    };
    this.list = new ResourceList(played, 'Lab', undefined, {
      reach: async () => ({}) as ServiceClient,
      access: () => this.access,
      isShown: () => this.shown,
      isFocused: () => this.focused,
      includeArchived: () => this.archived,
      warn: () => undefined,
      clock: { monotonic: () => this.now },
      timers: {
        set: (callback, delay) => {
          this.delays.push(delay);
          this.due = callback;
          return callback;
        },
        clear: () => {
          this.due = undefined;
        },
      },
    });
    // Makes the list visible without refreshing it, so that the test makes the first request.
    this.shown = false;
    void this.list.unfold();
    this.shown = true;
  }

  get hasTimer(): boolean {
    return this.due !== undefined;
  }

  get ids(): readonly string[] {
    return this.list.list.items.map(({ id }) => id);
  }
}

const page = (ids: readonly string[], nextCursor?: string): Page => ({
  items: ids.map((id): Resource => ({ id })),
  nextCursor,
  requestId: undefined,
});
const failure = (status: number, kind: 'api' | 'not_found', retryAfter?: number) =>
  new ServiceError('no', {
    kind,
    outcome: 'refused',
    method: 'GET',
    host: 'h',
    path: '/',
    status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });

describe('features/resources/lists/resourceList', () => {
  it('polls only while visible, every half minute, less often without focus', async () => {
    const played = new PlayedList();
    played.answer = async () => page(['a']);
    played.list.fold();
    await played.list.trigger();
    played.shown = false;
    await played.list.unfold();
    await played.list.trigger();
    assert.deepEqual([played.asked, played.hasTimer], [[], false]);
    played.shown = true;
    await played.list.trigger();
    played.focused = false;
    await played.list.trigger();
    assert.deepEqual([played.ids, played.delays], [['a'], [30_000, 90_000]]);
  });

  it('reads an expanded group at once, once for several requests, and again if it was collapsed meanwhile', async () => {
    const played = new PlayedList();
    played.list.fold();
    played.answer = async () => page(['a']);
    await Promise.all([played.list.unfold(), played.list.unfold()]);
    await played.list.unfold();
    assert.deepEqual([played.ids, played.asked.length, played.hasTimer], [['a'], 1, true]);
    played.list.fold();
    await played.list.trigger();
    assert.deepEqual([played.asked.length, played.hasTimer], [1, false]);
    played.answer = async () => page(['a', 'b']);
    void played.list.unfold();
    await played.list.trigger();
    assert.deepEqual([played.ids, played.hasTimer], [['a', 'b'], true]);
  });

  it('reads immutable lists once, and retries failures', async () => {
    const played = new PlayedList({ isImmutable: true });
    played.answer = () => Promise.reject(failure(500, 'api', 60_000));
    await played.list.trigger();
    assert.deepEqual(played.delays, [60_000]);
    played.answer = async () => page(['a']);
    await played.list.refresh();
    await played.list.refresh();
    await played.list.trigger();
    assert.deepEqual([played.asked.length, played.ids, played.hasTimer], [2, ['a'], false]);
  });

  it('backs off after failures and keeps its rows, but reads at once on request', async () => {
    const played = new PlayedList();
    played.answer = async () => page(['a']);
    await played.list.trigger();
    played.answer = () => Promise.reject(failure(500, 'api', 60_000));
    await played.list.trigger();
    assert.deepEqual([played.ids, played.list.list.problem instanceof Error, played.delays.at(-1)], [['a'], true, 60_000]);
    await played.list.trigger();
    assert.equal(played.asked.length, 2, 'the service wants to be left alone');
    played.answer = async () => page(['b']);
    await played.list.refresh();
    assert.deepEqual([played.ids, played.list.list.problem], [['b'], undefined]);
  });

  it("doesn't read an unsupported list again", async () => {
    const played = new PlayedList();
    played.answer = () => Promise.reject(failure(404, 'not_found'));
    await played.list.trigger();
    assert.deepEqual([played.list.list.state, played.hasTimer], ['unsupported', false]);
  });

  it('drops a response for another address, or from before a reset', async () => {
    for (const change of [(played: PlayedList) => (played.access = 'second'), (played: PlayedList) => played.list.startOver()]) {
      const played = new PlayedList();
      let arrive: (page: Page) => void = () => undefined;
      let begun: () => void = () => undefined;
      const asked = new Promise<void>(resolve => {
        begun = resolve;
      });
      played.answer = () =>
        new Promise(resolve => {
          arrive = resolve;
          begun();
        });
      const looked = played.list.trigger();
      await asked;
      change(played);
      arrive(page(['stale']));
      await looked;
      assert.deepEqual(played.ids, []);
    }
  });

  it('follows a limited number of empty filtered pages, and continues from there', async () => {
    const played = new PlayedList();
    const pages = [page([], 'page=2'), page([], 'page=3'), page(['a'], 'page=4'), page(['a', 'b'])];
    played.answer = async () => pages.shift() ?? page([], 'page=x');
    await played.list.trigger();
    assert.deepEqual([played.ids, played.list.list.hasMore, played.asked], [['a'], true, ['20 - -', '20 page=2 -', '20 page=3 -']]);
    await played.list.loadMore({} as ServiceClient);
    assert.deepEqual([played.ids, played.list.list.hasMore], [['a', 'b'], false]);
    const endless = new PlayedList();
    endless.answer = async () => page([], 'page=again');
    await endless.list.trigger();
    assert.equal(endless.asked.length, 5);
  });

  it('lists archived items only if their kind has them and the user wants them', async () => {
    const plain = new PlayedList();
    plain.archived = true;
    await plain.list.trigger();
    const played = new PlayedList({ hasArchived: true });
    played.archived = true;
    await played.list.trigger();
    assert.deepEqual([plain.asked, played.asked], [['20 - -'], ['20 - true']]);
  });
});

const [first] = kinds;
const name = first?.kind ?? '';

describe('features/resources/resourceStore', () => {
  it('has a list for each group, and adds created and changed members', () => {
    const store = new ResourceStore(kinds, hiddenSurroundings);
    store.reset('Lab');
    const kind = everyKind.find(one => one.kind === 'work');
    assert.ok(first !== undefined && kind !== undefined);
    const parent = { connection: 'Lab', kind: name, id: 'p' };
    assert.equal(store.listOf('Lab', kind, parent), store.listOf('Lab', kind, { ...parent }));
    assert.notEqual(store.listOf('Lab', kind, parent), store.listOf('Lab', kind, { ...parent, id: 'q' }));
    store.listOf('Lab', first);
    store.put(parent, { id: 'p' });
    assert.deepEqual(store.find(parent), { id: 'p' });
    store.reset('Other');
    assert.deepEqual(store.all(), []);
  });
});
