import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorKind } from '../../../../src/client/transport/errors';
import { PagedList, pageAfter } from '../../../../src/common/lists/pagedList';

interface Item {
  readonly id: string;
  readonly word?: string;
}

const page = (ids: readonly string[], nextCursor?: string) => ({ items: ids.map(id => ({ id })), nextCursor, requestId: undefined });
const failure = (kind: ServiceErrorKind) =>
  new ServiceError(`failed: ${kind}`, { kind, outcome: 'unknown', method: 'GET', host: 'h', path: '/' });
const ids = (list: PagedList<Item>) => list.items.map(({ id }) => id);

function listOf(...firstPage: Parameters<typeof page>): PagedList<Item> {
  const list = new PagedList<Item>();
  list.reset('A');
  list.acceptFirstPage('A', page(...firstPage));
  return list;
}

describe('common/lists/pagedList', () => {
  it('is loading until the first response, then empty or filled', () => {
    const list = new PagedList<Item>();
    list.reset('A');
    assert.equal(list.state, 'loading');
    list.acceptFirstPage('A', page([]));
    assert.equal(list.state, 'empty');
    list.acceptFirstPage('A', page(['a']));
    assert.equal(list.state, 'filled');
  });

  it('continues after the first page, keeps failures, and retries the failed page', async () => {
    const list = new PagedList<Item>();
    list.reset('A');
    const asked: (string | undefined)[] = [];
    let isBroken = true;
    const read = async (cursor?: string) => {
      asked.push(cursor);
      if (isBroken) {
        throw failure('connection_refused');
      }
      return cursor === undefined ? page(['b'], 'x') : page(['a']);
    };
    await list.readOn(read);
    assert.deepEqual([list.state, list.isListed], ['unreachable', false]);
    isBroken = false;
    await list.readOn(read);
    isBroken = true;
    await list.readOn(read);
    assert.match(String(list.moreProblem), /connection_refused/);
    isBroken = false;
    await list.readOn(read);
    assert.deepEqual([ids(list), asked, list.hasMore, list.moreProblem], [['b', 'a'], [undefined, undefined, 'x', 'x'], false, undefined]);
  });

  it('shows an item once that one or two pages contain twice', async () => {
    const list = listOf(['c', 'b', 'c'], 'x');
    await list.loadMore(async () => page(['b', 'a', 'a'], 'y'));
    assert.deepEqual(ids(list), ['c', 'b', 'a']);
    assert.equal(list.hasMore, true);
  });

  it('ends if the service repeats listed items, and reports that until it is listed again', async () => {
    const list = listOf(['b', 'a'], 'x');
    await list.loadMore(async () => page(['a', '9'], 'y'));
    assert.deepEqual([list.hasMore, list.problem], [true, undefined]);
    await list.loadMore(async () => page(['b', 'a'], 'another'));
    assert.deepEqual([list.hasMore, (list.problem as Error).name], [false, 'ListCutError']);
    list.acceptFirstPage('A', page(['b', 'a'], 'x'));
    assert.equal((list.problem as Error).name, 'ListCutError');
    list.reset('A');
    assert.equal(list.problem, undefined);
  });

  it('keeps later pages across a refresh and drops them when the service has only one page', async () => {
    const list = listOf(['d', 'c'], 'x');
    await list.loadMore(async () => page(['b', 'a']));
    list.acceptFirstPage('A', page(['e', 'c'], 'x'));
    assert.deepEqual(ids(list), ['e', 'c', 'b', 'a']);
    list.acceptFirstPage('A', page(['e', 'c']));
    assert.deepEqual(ids(list), ['e', 'c']);
  });

  it('keeps its items if the first page is empty but there are more pages', () => {
    const list = listOf(['b', 'a']);
    list.acceptFirstPage('A', page([], 'x'));
    assert.deepEqual([ids(list), list.state], [['b', 'a'], 'filled']);
    const none = listOf([], 'x');
    assert.deepEqual([none.state, none.hasMore], ['filled', true]);
  });

  it('keeps its items if the first page is truncated, and reports that', () => {
    const list = listOf(['d', 'c', 'b', 'a']);
    list.acceptFirstPage('A', { ...page(['e', 'd', 'b']), isCut: true });
    assert.deepEqual(ids(list), ['e', 'd', 'b', 'a']);
    assert.match(String(list.problem), /has more/);
    list.acceptFirstPage('A', { ...page(['g', 'f']), isCut: true });
    assert.deepEqual(ids(list), ['g', 'f', 'e', 'd', 'b', 'a']);
    list.acceptFirstPage('A', page(['g', 'a']));
    assert.deepEqual([ids(list), list.problem], [['g', 'a'], undefined]);
  });

  it('copies local facts of an item to its new version, and to no other item', () => {
    const list = new PagedList<Item>((before, now) => (before.word === undefined ? now : { ...now, word: before.word }));
    const words = () => list.items.map(({ word }) => word);
    list.reset('A');
    list.acceptFirstPage('A', page(['b', 'a']));
    list.put('A', { id: 'a', word: 'seen' });
    list.put('A', { id: 'a' });
    assert.deepEqual(words(), [undefined, 'seen']);
    list.acceptFirstPage('A', page(['c', 'b', 'a']));
    assert.deepEqual(words(), [undefined, undefined, 'seen']);
    list.reset('A');
    list.acceptFirstPage('A', page(['a']));
    assert.deepEqual(words(), [undefined]);
  });

  it('keeps its items when the next page fails, and can retry', async () => {
    const list = listOf(['b'], 'x');
    await list.loadMore(() => Promise.reject(failure('connection_lost')));
    assert.deepEqual([ids(list), list.hasMore], [['b'], true]);
    assert.match(String(list.moreProblem), /connection_lost/);
    await list.loadMore(async () => page(['a']));
    assert.deepEqual([ids(list), list.moreProblem], [['b', 'a'], undefined]);
  });

  it('keeps its items when a refresh fails, and shows an error without items', () => {
    const list = new PagedList<Item>();
    list.reset('A');
    for (const [kind, state] of [
      ['authentication', 'unauthorized'],
      ['connection_refused', 'unreachable'],
      ['not_found', 'unsupported'],
      ['not_json', 'failed'],
    ] as const) {
      list.acceptFailure('A', failure(kind));
      assert.equal(list.state, state);
    }
    for (const status of [405, 501]) {
      list.acceptFailure(
        'A',
        new ServiceError('no', { kind: 'other_status', outcome: 'refused', method: 'GET', host: 'h', path: '/', status }),
      );
      assert.equal(list.state, 'unsupported');
    }
    list.acceptFirstPage('A', page(['a']));
    list.acceptFailure('A', failure('dns'));
    assert.deepEqual([ids(list), list.state], [['a'], 'filled']);
    assert.notEqual(list.problem, undefined);
  });

  it('ignores responses for another scope', async () => {
    const list = listOf(['a'], 'x');
    await list.loadMore(async () => {
      list.reset('B');
      return page(['late']);
    });
    list.acceptFirstPage('A', page(['late']));
    list.acceptFailure('A', failure('dns'));
    list.put('A', { id: 'late' });
    assert.deepEqual([ids(list), list.state], [[], 'loading']);
  });

  it('moves a retrieved item to its position, a new one to the top, and removes a deleted one', () => {
    const list = listOf(['b', 'a']);
    list.put('A', { id: 'a', word: 'new' });
    list.put('A', { id: 'c' });
    assert.deepEqual(ids(list), ['c', 'b', 'a']);
    assert.equal(list.find('a')?.word, 'new');
    for (const id of ['a', 'b', 'c']) {
      list.remove('A', id);
    }
    assert.equal(list.state, 'empty');
  });

  it('examines one item to insert or find one, however many are listed', () => {
    let looked = 0;
    const watched = (id: string) => ({
      get id() {
        looked++;
        return id;
      },
    });
    const list = new PagedList<{ readonly id: string }>();
    list.reset('A');
    list.acceptFirstPage('A', {
      items: Array.from({ length: 10_000 }, (_, index) => watched(`i${index}`)),
      nextCursor: 'n',
      requestId: undefined,
    });
    looked = 0;
    list.put('A', watched('i5000'));
    list.put('A', watched('new'));
    assert.notEqual(list.find('i9999'), undefined);
    assert.ok(looked < 20, `${looked} looks`);
    assert.deepEqual([list.items[0]?.id, list.items[5001]?.id, list.items.length], ['new', 'i5000', 10_001]);
  });

  it('finds each item at its position after any changes', () => {
    const list = new PagedList<{ readonly id: string; readonly n?: number }>();
    const page = (ids: readonly string[]) => ({ items: ids.map(id => ({ id })), nextCursor: 'n', requestId: undefined });
    list.reset('A');
    list.acceptFirstPage('A', page(['c', 'b']));
    list.put('A', { id: 'd' });
    list.remove('A', 'c');
    list.put('A', { id: 'e' });
    list.acceptFirstPage('A', page(['e', 'd', 'b']));
    list.put('A', { id: 'b', n: 1 });
    list.put('A', { id: 'f' });
    assert.deepEqual(
      list.items.map(({ id }) => id),
      ['f', 'e', 'd', 'b'],
    );
    for (const item of list.items) {
      assert.equal(list.find(item.id), item);
    }
    assert.equal(list.find('c'), undefined);
  });

  it('keeps unchanged items after a refresh, and reports those that are listed once', () => {
    const list = new PagedList<{ readonly id: string; readonly n: number }>();
    list.reset('A');
    list.acceptFirstPage('A', { items: [1, 2, 3].map(n => ({ id: `i${n}`, n })), nextCursor: 'n', requestId: undefined });
    const before = list.items;
    list.acceptFirstPage('A', { items: [1, 2].map(n => ({ id: `i${n}`, n })), nextCursor: 'n', requestId: undefined });
    assert.ok(list.items.every((item, index) => item === before[index]));
    let told = 0;
    list.onDidChange(() => told++);
    list.refresh('A', [
      { id: 'i3', n: 9 },
      { id: 'other', n: 1 },
      { id: 'i1', n: 1 },
    ]);
    assert.deepEqual([list.items.map(({ n }) => n), told, list.items[0] === before[0]], [[1, 2, 9], 1, true]);
  });

  it('loads ten thousand items in about a hundred steps, the first with one page', () => {
    const steps: number[] = [];
    for (let listed = 20; listed < 10_000; listed += steps.at(-1) ?? 0) {
      steps.push(pageAfter(listed));
    }
    assert.deepEqual([steps.slice(0, 4), steps.length <= 103], [[20, 40, 80, 100], true]);
  });
});
