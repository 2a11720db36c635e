import assert from 'node:assert/strict';
import type { FromWebview, ResultRow } from '../../../../src/shared/results/resultsProtocol';
import { ResultsStore } from '../../../../src/webview/results/resultsStore';

const row = (id: string): ResultRow => ({ id, mark: 'succeeded', reason: '', inputTokens: 0, outputTokens: 0, words: '' });
const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => row(`q${from + at}`));

describe('webview/results/resultsStore', () => {
  let posted: FromWebview[];
  let store: ResultsStore;
  const lastQuery = () => posted.findLast(message => message.type === 'arrange')?.query ?? '';
  const arranged = (request: number, revision: number, count: number, query = lastQuery()) =>
    store.receive({ type: 'arranged', request, query, revision, count, all: count, inputTokens: 0, outputTokens: 0 });
  const windows = () => posted.flatMap(message => (message.type === 'window' ? [message.from] : []));

  beforeEach(() => {
    posted = [];
    store = new ResultsStore(message => posted.push(message));
    store.arrange('', undefined, undefined);
    arranged(1, 7, 10_000);
  });

  it('requests few pages at a time, and visible ones first after a long scroll', () => {
    store.pages.want(0, 200);
    assert.deepEqual(windows(), [0, 50]);
    store.pages.want(5000, 5040);
    store.receive({ type: 'rows', revision: 7, from: 0, rows: rows(0, 50) });
    assert.deepEqual(windows(), [0, 50, 5000]);
    store.receive({ type: 'rows', revision: 7, from: 5000, rows: rows(5000, 50) });
    assert.equal(store.pages.at(5003)?.id, 'q5003');
    assert.equal(store.pages.at(60), undefined);
    store.pages.want(5000, 5040);
    assert.equal(windows().length, 3);
  });

  it('drops rows, pairs and pictures of another arrangement', () => {
    store.openPair(3);
    store.arrange('x', undefined, undefined);
    arranged(2, 8, 5);
    store.receive({ type: 'rows', revision: 7, from: 0, rows: rows(0, 50) });
    store.receive({ type: 'survey', revision: 7, pictures: [] });
    store.receive({ type: 'pair', revision: 7, place: 3, problem: 'old' });
    assert.deepEqual([store.pages.at(0), store.survey, store.pair?.problem], [undefined, undefined, undefined]);
    arranged(1, 9, 1);
    assert.equal(store.count, 5);
  });

  it('identifies the rows by the query that the host parsed', () => {
    store.arrange('state=failed', undefined, undefined);
    arranged(2, 8, 5, 'status=failed');
    assert.equal(store.shownBy.query, 'status=failed');
  });

  describe('with an invalid query', () => {
    const refuse = (request: number) => store.receive({ type: 'refused', request, query: lastQuery(), message: 'No.', start: 0, end: 1 });
    const asked = () => posted.flatMap(message => (message.type === 'arrange' ? [[message.query, message.order?.by]] : [])).slice(1);
    const results = (data: number) =>
      store.receive({
        ...{ type: 'snapshot', columns: [], data },
        head: { title: '', facts: [], chips: [], notices: [], isReady: true, acts: [] },
      });

    it('keeps rows, their order and their query', () => {
      results(0);
      store.arrange('out>5', { by: 'id', isDescending: true }, undefined);
      arranged(2, 8, 5);
      store.arrange('status=wrong', { by: 'line', isDescending: false }, undefined);
      refuse(3);
      assert.deepEqual([store.count, store.shownBy.query, store.shownBy.order?.by, store.refused?.message], [5, 'out>5', 'id', 'No.']);
      assert.equal(asked().length, 2);
      store.arrange('out>6', undefined, undefined);
      arranged(4, 9, 4);
      assert.deepEqual([store.count, store.shownBy.query, store.refused], [4, 'out>6', undefined]);
    });

    it('shows new results by the previous query, and still shows the error', () => {
      results(0);
      store.arrange('out>5', { by: 'id', isDescending: true }, undefined);
      arranged(2, 8, 5);
      store.arrange('status=wrong', undefined, undefined);
      refuse(3);
      results(1);
      store.arrange('status=wrong', undefined, 'q1');
      refuse(4);
      assert.deepEqual(asked().at(-1), ['out>5', 'id']);
      arranged(5, 9, 6);
      assert.deepEqual([store.count, store.refused?.message], [6, 'No.']);
    });

    it('shows all results if none were shown before, and stops if these fail too', () => {
      store = new ResultsStore(message => posted.push(message));
      results(0);
      store.arrange('status=wrong', undefined, undefined);
      refuse(1);
      assert.deepEqual(asked().at(-1), ['', undefined]);
      refuse(2);
      assert.deepEqual([asked().length, store.refused?.message], [2, 'No.']);
    });
  });

  it('keeps a limited number of rows', () => {
    for (let from = 0; from < 10_000; from += 50) {
      store.receive({ type: 'rows', revision: 7, from, rows: rows(from, 50) });
    }
    assert.equal(store.pages.at(0), undefined);
    assert.equal(store.pages.at(9999)?.id, 'q9999');
    const kept = Array.from({ length: 10_000 }, (_, place) => store.pages.at(place)).filter(kept => kept !== undefined);
    assert.ok(kept.length <= 3000);
  });
});
