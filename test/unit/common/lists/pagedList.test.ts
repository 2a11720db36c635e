import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorKind } from '../../../../src/client/transport/errors';
import { PagedList } from '../../../../src/common/lists/pagedList';

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
  it('is loading until the first answer, then empty or filled', () => {
    const list = new PagedList<Item>();
    list.reset('A');
    assert.equal(list.state, 'loading');
    list.acceptFirstPage('A', page([]));
    assert.equal(list.state, 'empty');
    list.acceptFirstPage('A', page(['a']));
    assert.equal(list.state, 'filled');
  });

  it('shows an item once that a page, or two pages, hold twice', async () => {
    const list = listOf(['c', 'b', 'c'], 'x');
    await list.loadMore(async () => page(['b', 'a', 'a'], 'y'));
    assert.deepEqual(ids(list), ['c', 'b', 'a']);
    assert.equal(list.hasMore, true);
  });

  it('ends where the service answers with what is already listed', async () => {
    const list = listOf(['b', 'a'], 'x');
    await list.loadMore(async () => page(['b', 'a'], 'another'));
    assert.equal(list.hasMore, false);
  });

  it('keeps later pages over a refresh and drops them when the service has no more than the first', async () => {
    const list = listOf(['d', 'c'], 'x');
    await list.loadMore(async () => page(['b', 'a']));
    list.acceptFirstPage('A', page(['e', 'c'], 'x'));
    assert.deepEqual(ids(list), ['e', 'c', 'b', 'a']);
    list.acceptFirstPage('A', page(['e', 'c']));
    assert.deepEqual(ids(list), ['e', 'c']);
  });

  it('carries what only we knew of an item over to what was read of it, and nothing to another one', () => {
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

  it('keeps what it shows when the next page fails, and can try again', async () => {
    const list = listOf(['b'], 'x');
    await list.loadMore(() => Promise.reject(failure('connection_lost')));
    assert.deepEqual([ids(list), list.hasMore], [['b'], true]);
    assert.match(String(list.moreProblem), /connection_lost/);
    await list.loadMore(async () => page(['a']));
    assert.deepEqual([ids(list), list.moreProblem], [['b', 'a'], undefined]);
  });

  it('keeps the items when a refresh fails, and names the state when there are none', () => {
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

  it('ignores answers of a scope it has left', async () => {
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

  it('puts a seen item in its place, a new one on top, and takes a removed one out', () => {
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
});
