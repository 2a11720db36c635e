import assert from 'node:assert/strict';
import { cursorPage, idPage } from '../../../../src/emulator/http/listQuery';

const items = Array.from({ length: 45 }, (_, n) => ({ id: `id-${n}` }));
const page = (text: string, envelope: 'ids' | 'page') => {
  const query = new URLSearchParams(text);
  const limit = Number(query.get('limit') ?? 20);
  return envelope === 'ids' ? idPage(items, query, limit) : cursorPage(items, query, { limit });
};
const ids = (from: number, to: number) => items.slice(from, to);

describe('emulator/http/listQuery', () => {
  it('pages by IDs forwards and backwards', () => {
    assert.deepEqual(page('', 'ids'), { data: ids(0, 20), has_more: true, first_id: 'id-0', last_id: 'id-19' });
    assert.deepEqual(page('limit=30&after_id=id-19', 'ids'), { data: ids(20, 45), has_more: false, first_id: 'id-20', last_id: 'id-44' });
    assert.deepEqual(page('limit=5&before_id=id-20', 'ids'), { data: ids(15, 20), has_more: true, first_id: 'id-15', last_id: 'id-19' });
    assert.deepEqual(page('limit=5&before_id=id-3', 'ids'), { data: ids(0, 3), has_more: false, first_id: 'id-0', last_id: 'id-2' });
  });

  it('returns an empty page for an unknown ID and ignores a page cursor, as the recorded service does', () => {
    const empty = { data: [], has_more: false, first_id: null, last_id: null };
    assert.deepEqual(page('after_id=gone', 'ids'), empty);
    assert.deepEqual(page('before_id=gone', 'ids'), empty);
    assert.deepEqual(page('page=abc', 'ids'), page('', 'ids'));
  });

  it('pages by cursor through everything once', () => {
    const seen: unknown[] = [];
    let cursor: string | null | undefined = '';
    while (cursor !== null) {
      const query = new URLSearchParams(cursor === '' ? {} : { page: cursor ?? '' });
      const answer = cursorPage(items, query, { limit: 7 }) as { data: readonly unknown[]; next_page: string | null };
      seen.push(...answer.data);
      cursor = answer.next_page;
    }
    assert.deepEqual(seen, items);
  });

  it('continues by cursor when items were added or the last one was deleted', () => {
    const { next_page } = page('limit=10', 'page') as unknown as { next_page: string };
    const query = new URLSearchParams({ page: next_page });
    const next = (changed: readonly { id: string }[]) => cursorPage(changed, query, { limit: 1 }).data;
    assert.deepEqual(next([{ id: 'new' }, ...items]), [{ id: 'id-10' }]);
    assert.deepEqual(next(items.filter(item => item.id !== 'id-9')), [{ id: 'id-10' }]);
  });

  it('rejects invalid cursors', () => {
    assert.throws(() => page('page=zzz', 'page'), /page: invalid cursor/);
    assert.throws(() => page('page=page_Z29uZQ==', 'page'), /page: invalid cursor/);
    assert.throws(() => page('page=page_e30=', 'page'), /page: invalid cursor/);
  });

  it('goes back by cursor to exactly the previous page, also when items were added', () => {
    type Page = { readonly data: readonly { readonly id: string }[]; readonly next_page: string | null; readonly prev_page: string | null };
    const back = (query: object, list = items) =>
      cursorPage(list, new URLSearchParams({ ...query }), { limit: 10, order: 'desc', backwards: true }) as unknown as Page;
    const first = back({});
    const second = back({ page: first.next_page });
    const third = back({ page: second.next_page });
    assert.deepEqual([first.prev_page, third.data], [null, ids(20, 30)]);
    assert.deepEqual(back({ page: third.prev_page }), second);
    const more = [{ id: 'new' }, ...items];
    assert.deepEqual(back({ page: third.prev_page }, more).data, ids(10, 20));
    assert.deepEqual(back({ page: back({ page: second.prev_page }, more).next_page }, more).data, ids(10, 20));
    assert.throws(
      () => cursorPage(items, new URLSearchParams({ page: first.next_page ?? '' }), { limit: 10, order: 'asc' }),
      /another order/,
    );
  });
});
