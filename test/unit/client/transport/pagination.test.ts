import assert from 'node:assert/strict';
import type { ListOptions, Page } from '../../../../src/client/transport/callResult';
import type { PageEnvelope } from '../../../../src/client/transport/page';
import { listAll, listQuery, listUpTo, nextCursor, PageGuard, type WalkOptions } from '../../../../src/client/transport/pagination';
import { canary, collect, json, Loopback } from '../loopback';

describe('client/transport/pagination', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  const envelopes: readonly (readonly [name: string, page: PageEnvelope, cursor: string | undefined])[] = [
    ['next_page', { data: [], next_page: 'eyJ4IjoxfQ==' }, 'page=eyJ4IjoxfQ=='],
    ['next_page of null', { data: [], next_page: null }, undefined],
    ['an empty next_page', { data: [], next_page: '' }, undefined],
    ['next_page with has_more', { data: [], next_page: 'p', has_more: true }, 'page=p'],
    ['next_page that has_more denies', { data: [], next_page: 'p', has_more: false }, undefined],
    ['next_cursor', { data: [], has_more: true, next_cursor: 'c' }, 'cursor=c'],
    ['last_id', { data: [{ id: 'a' }], has_more: true, first_id: 'a', last_id: 'b' }, 'after_id=b'],
    ['has_more alone', { data: [{ id: 'a' }, { id: 'z' }], has_more: true }, 'after_id=z'],
    ['the number of the last', { data: [{ id: 'a', seq: 1 }, { seq: 2 }], has_more: true }, 'after_seq=2'],
    ['last_id before a number', { data: [{ id: 'a', seq: 1 }], has_more: true, last_id: 'a' }, 'after_id=a'],
    ['nothing', { data: [{ type: 'x' }], has_more: true }, undefined],
    ['last_id at the end', { data: [{ id: 'a' }], has_more: false, last_id: 'a' }, undefined],
    ['has_more over nothing', { data: [], has_more: true, last_id: null }, undefined],
    ['no word of more', { data: [{ id: 'a' }], last_id: 'a' }, undefined],
  ];
  for (const [name, page, cursor] of envelopes) {
    it(`finds the next page by ${name}`, () => {
      assert.equal(nextCursor(page), cursor);
    });
  }

  it('sends a cursor back under its own name', () => {
    assert.deepEqual(listQuery({ limit: 2, cursor: 'after_id=a=b' }), [
      ['limit', '2'],
      ['after_id', 'a=b'],
    ]);
    assert.deepEqual(listQuery({ cursor: 'page=x' }), [['page', 'x']]);
    assert.deepEqual(listQuery({ cursor: 'bare' }), [['page', 'bare']]);
    assert.deepEqual(listQuery(undefined), []);
  });

  type Row = { readonly id?: string; readonly n?: number };
  const page = (ids: readonly string[], cursor?: string): Page<Row> => ({
    items: ids.map(id => ({ id })),
    nextCursor: cursor,
    requestId: undefined,
  });
  const ids = (rows: readonly Row[]) => rows.map(row => row.id).join('');

  it('yields each item once, in order', async () => {
    const pages = new Map([
      [undefined, page(['a', 'b'], '1')],
      ['1', page(['b', 'c'], '2')],
      ['2', page(['d'])],
    ]);
    const list = async ({ cursor }: ListOptions) => pages.get(cursor) ?? page([]);
    assert.equal(ids(await collect(listAll(list))), 'abcd');
  });

  /** Returns the ids of all listed items, and the error message if the listing was cut. */
  async function walk(list: (options: ListOptions) => Promise<Page<Row>>, options: WalkOptions<Row> = {}) {
    let said = '';
    const onCut = (error: Error) => {
      said = error.message;
    };
    const rows = ids(await collect(listAll(list, { ...options, onCut })));
    return [rows, said];
  }

  it('skips overlaps of pages, wherever they start', async () => {
    const pages = new Map([
      [undefined, page(['a'], '1')],
      ['1', page(['a', 'b'], '2')],
      ['2', page(['c'])],
    ]);
    assert.deepEqual(await walk(async ({ cursor }) => pages.get(cursor) ?? page([])), ['abc', '']);
  });

  it('reports where it stops at a repeated cursor', async () => {
    let calls = 0;
    assert.deepEqual(await walk(async () => page([`${calls++}`], 'same')), ['01', 'The list is incomplete: its pages repeat']);
  });

  it('reports where it stops at a page that only repeats an earlier one, despite a new cursor', async () => {
    let calls = 0;
    const [rows, said] = await walk(async () => page(['a', 'b'], `${calls++}`));
    assert.deepEqual([rows, calls], ['ab', 2]);
    assert.match(said ?? '', /repeat/);
  });

  it('reports where it stops after several pages without new items', async () => {
    let calls = 0;
    assert.deepEqual(await walk(async () => page([], `${calls++}`)), ['', 'The list is incomplete: 50 pages contained nothing new']);
    assert.equal(calls, 50);
    calls = 0;
    const sparse = async () => page(calls++ % 20 === 19 ? [`${calls / 20}`] : [], calls < 100 ? `${calls}` : undefined);
    assert.deepEqual(await walk(sparse), ['12345', '']);
  });

  it('reports where it stops at its page limit, its own or the general one', async () => {
    let calls = 0;
    const endless = async () => page([`${calls++}`], `${calls}`);
    assert.equal((await walk(endless, { maxPages: 5 }))[1], 'The list is incomplete: it has more than 5 pages');
    assert.equal(calls, 5);
    assert.equal((await walk(endless))[1], 'The list is incomplete: it has more than 10000 pages');
    assert.equal(calls, 10_005);
  });

  it("throws after all items if the caller doesn't handle an incomplete list", async () => {
    const seen: Row[] = [];
    const cut = async () => ({ ...page(['a']), isCut: true });
    await assert.rejects(
      async () => {
        for await (const row of listAll(cut)) {
          seen.push(row);
        }
      },
      { name: 'ListCutError' },
    );
    assert.equal(ids(seen), 'a');
  });

  it('keeps items without ID, and those before a failed page', async () => {
    const guard = new PageGuard<Row>();
    assert.equal(guard.accept({ items: [{ n: 1 }, { n: 1 }], nextCursor: undefined, requestId: undefined }).items.length, 2);
    const seen: Row[] = [];
    const failing = async ({ cursor }: ListOptions) => {
      if (cursor !== undefined) {
        throw new Error('page 2');
      }
      return page(['a'], '1');
    };
    await assert.rejects(async () => {
      for await (const row of listAll(failing)) {
        seen.push(row);
      }
    }, /page 2/);
    assert.equal(ids(seen), 'a');
  });

  it('requests a page only when it is needed', async () => {
    let calls = 0;
    for await (const _ of listAll(async () => page([`${calls++}`], `${calls}`))) {
      break;
    }
    assert.equal(calls, 1);
  });

  it('walks a service that pages by after_id', async () => {
    const all = Array.from({ length: 7 }, (_, index) => ({ id: `b${index}` }));
    const origin = await loopback.http((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      const from = all.findIndex(({ id }) => id === query.get('after_id')) + 1;
      const data = all.slice(from, from + Number(query.get('limit')));
      json(response, { data, has_more: from + data.length < all.length, first_id: data[0]?.id, last_id: data.at(-1)?.id });
    });
    const { batches } = loopback.client(origin);
    const rows = await collect(listAll(options => batches.list(options), { limit: 3 }));
    assert.equal(rows.map(({ id }) => id).join(), all.map(({ id }) => id).join());
  });

  it('stops on a service that ignores the cursor', async () => {
    let calls = 0;
    const origin = await loopback.http((_, response) => {
      calls++;
      json(response, {
        data: [{ id: 'a' }, { id: 'b' }],
        has_more: true,
        first_id: 'a',
        last_id: 'b',
        next_page: calls % 2 === 0 ? 'p' : null,
      });
    });
    const { batches } = loopback.client(origin);
    const warnings: string[] = [];
    const rows = await collect(listAll(options => batches.list(options), { onCut: error => warnings.push(error.message) }));
    assert.deepEqual([rows.map(({ id }) => id).join(), calls, warnings.length], ['a,b', 2, 1]);
    const again = await batches.list({ cursor: 'after_id=b' });
    assert.ok(again.nextCursor === undefined || again.nextCursor === 'page=p');
  });

  it('keeps a list with rows of an unexpected shape', async () => {
    const data = [
      { id: 'a', processing_status: 5, extra: 1 },
      { processing_status: 'ended' },
      { id: '', processing_status: 'ended' },
      'row',
      null,
      { id: 'b', request_counts: { succeeded: 'x', errored: 2 } },
    ];
    const origin = await loopback.http((_, response) => json(response, { data, next_page: 7 }));
    const lines: string[] = [];
    const add = (line: string) => lines.push(line);
    const { items, nextCursor: cursor } = await loopback.client(origin, { log: { debug: add, info: add, warn: add } }).batches.list();
    assert.deepEqual(
      items.map(({ id, processing_status, extra, request_counts }) => [
        id,
        processing_status,
        extra,
        request_counts.errored,
        request_counts.succeeded,
      ]),
      [
        ['a', 'unknown', 1, 0, 0],
        ['b', 'unknown', undefined, 2, 0],
      ],
    );
    assert.equal(cursor, undefined);
    assert.equal(lines.filter(line => /no ID and was left out/.test(line)).length, 4);
    assert.equal(lines.join().includes(canary), false);
  });

  it("doesn't treat another response as an empty list", async () => {
    let body = {};
    const origin = await loopback.http((_, response) => json(response, body));
    const { batches } = loopback.client(origin);
    const odd = [{}, 'none', 7, { 0: { id: 'a' } }, null].map(data => ({ data }));
    const error = { type: 'error', error: { type: 'api_error', message: 'x' } };
    for (body of [...odd, {}, { batches: [{ id: 'a' }] }, { type: 'error' }, error, { ...error, data: [] }, []]) {
      await assert.rejects(batches.list(), { kind: 'mismatch', outcome: 'unknown' }, JSON.stringify(body));
    }
    body = { data: [] };
    assert.deepEqual((await batches.list()).items, []);
  });

  it("doesn't end at an empty page that promises more", async () => {
    let body = {};
    const origin = await loopback.http((_, response) => json(response, body));
    const { batches, sessions } = loopback.client(origin);
    for (body of [
      { data: [], has_more: true },
      { data: [], has_more: true, last_id: null, next_page: '' },
    ]) {
      await assert.rejects(batches.list(), { kind: 'mismatch' }, JSON.stringify(body));
      await assert.rejects(sessions.events('s').list(), { kind: 'mismatch' });
    }
    body = { data: [], has_more: true, next_page: 'p' };
    assert.equal((await batches.list()).nextCursor, 'page=p');
    body = { data: [{ processing_status: 'ended' }], has_more: true };
    const { isCut, unreadable } = await batches.list();
    assert.deepEqual([isCut, unreadable], [true, 1]);
  });

  it("identifies items by the caller's function if all have the same ID", async () => {
    const versions = (cursor: string | undefined): Page<{ id: string; version: number }> =>
      cursor === undefined
        ? {
            items: [
              { id: 'agent_1', version: 3 },
              { id: 'agent_1', version: 2 },
            ],
            nextCursor: 'page=2',
            requestId: undefined,
          }
        : {
            items: [
              { id: 'agent_1', version: 2 },
              { id: 'agent_1', version: 1 },
            ],
            nextCursor: undefined,
            requestId: undefined,
          };
    const list = async ({ cursor }: ListOptions) => versions(cursor);
    const found = await collect(listAll(list, { keyOf: ({ version }) => String(version) }));
    assert.deepEqual(
      found.map(({ version }) => version),
      [3, 2, 1],
    );
  });

  it('lists up to a number of items, and says why a list was cut by the service', async () => {
    const list = async (): Promise<Page<{ id: string }>> => ({
      items: [{ id: 'a' }, { id: 'b' }],
      nextCursor: undefined,
      isCut: true,
      requestId: undefined,
    });
    const { cut, ...rest } = await listUpTo(list, 2);
    assert.deepEqual([rest, cut?.name], [{ items: [{ id: 'a' }, { id: 'b' }], isWhole: false }, 'ListCutError']);
    const { isWhole, cut: none } = await listUpTo(list, 1);
    assert.deepEqual([isWhole, none], [false, undefined]);
  });
});
