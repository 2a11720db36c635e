import assert from 'node:assert/strict';
import {
  type SpendContext,
  type SpentSession,
  toSpendCsv,
  toSpendPage,
  toSpendRows,
} from '../../../../../src/features/batches/spend/spendPresentation';
import { type Submission, toRuns } from '../../../../../src/features/ledger';
import type { ModelUsage } from '../../../../../src/jsonl/results/resultUsage';
import { resultsAt } from '../fileRuns/submissionOf';
import { used } from '../fileRuns/used';
import { context, earlier, prices } from '../sheet/sheetUnderTest';

const results = resultsAt('/a');
let next = 1;
const sent = (change: Partial<Submission> = {}, ...usage: readonly ModelUsage[]): Submission => ({
  ...earlier,
  id: `00000000-0000-4000-8000-${String(next++).padStart(12, '0')}`,
  models: [['vendor-sonnet-5', 412]],
  ...(usage.length > 0 && { results: { ...results, report: { ...results.report, usage } } }),
  ...change,
});
const tokens = used('vendor-sonnet-5', { answers: 400, inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 1_000_000 });
const terms = { prices, currency: 'USD' };
const rowsOf = (submissions: readonly Submission[], sessions: readonly SpentSession[] = []) =>
  toSpendRows(toRuns(submissions), sessions, terms);
const shown: SpendContext = { ...context, now: Date.parse(earlier.startedAt), currency: 'USD', limit: { batch: 5, day: 20 } };
const session = (amount: string, change: object = {}): SpentSession => ({
  connection: 'Lab',
  session: {
    ...{ id: 's', type: 'session', created_at: earlier.startedAt, agent: { id: 'a', name: 'Careful', model: 'vendor-opus-4-5' } },
    usage: { input_tokens: 50, cache_read_input_tokens: 150, list_cost: { amount, currency: 'USD' } },
    ...change,
  } as SpentSession['session'],
});

describe('features/batches/spend/spendPresentation', () => {
  it('sums the runs by day, connection, model and file', () => {
    const other = sent({ source: 'file:///other.jsonl', connection: 'Team' }, tokens);
    const [two = assert.fail(), one = assert.fail(), ...more] = rowsOf([sent({}, tokens), sent({}, tokens), other]);
    assert.deepEqual(more, []);
    assert.deepEqual([two.requests, two.failed, two.cached, two.isOpen], [824, 24, 0.5, false]);
    // 1M x 1.5 + 1M x 0.15 + 0.1M x 7.5, twice.
    assert.deepEqual([two.actual?.low, two.actual?.high, one.actual?.high], [4.8, 4.8, 2.4]);
    assert.deepEqual([one.connection, one.source], ['Team', 'file:///other.jsonl']);
  });

  it('keeps models apart, each with estimate, answers and failures', () => {
    const estimate = (model: string) => ({
      ...{ model, inputLow: 1e6, inputHigh: 2e6, input: 1.5e6, maxOutput: 1e6, output: { low: 0, likely: 1e5, high: 2e5 } },
    });
    const run = sent(
      {
        models: [
          ['vendor-sonnet-5', 400],
          ['vendor-haiku-4-5', 12],
        ],
        estimate: [estimate('vendor-sonnet-5'), estimate('vendor-haiku-4-5')],
      },
      tokens,
      used('vendor-haiku-4-5-20251001', { answers: 10, inputTokens: 1000 }),
    );
    const [sonnet = assert.fail(), haiku = assert.fail()] = rowsOf([run]);
    assert.deepEqual([sonnet.model, sonnet.failed, sonnet.estimated], ['vendor-sonnet-5', 0, { low: 1.5, likely: 3, high: 4.5 }]);
    assert.deepEqual([haiku.model, haiku.failed, haiku.cached], ['vendor-haiku-4-5', 2, 0]);
  });

  it('marks pending results and models without a price as unknown, but lists no run without a batch', () => {
    const unpriced = sent({ models: [['other', 3]], source: 'file:///x.jsonl' }, used('other', { answers: 3 }));
    const rows = rowsOf([sent(), sent({ state: 'failed', batchId: undefined }), unpriced]);
    assert.deepEqual(
      rows.map(({ isOpen, actual, failed }) => [isOpen, actual, failed]),
      [
        [true, undefined, 0],
        [false, undefined, 0],
      ],
    );
  });

  it('shows sessions by agent, at the cost that their service reports', () => {
    const [row = assert.fail(), ...more] = rowsOf([], [session('120'), session('30'), session('x'), session('5', { created_at: null })]);
    assert.deepEqual(more, []);
    assert.deepEqual([row.source, row.isAgent, row.requests, row.model, row.cached], ['Careful', true, 2, 'vendor-opus-4-5', 0.75]);
    assert.deepEqual(row.actual, { low: 1.5, high: 1.5 });
  });

  it('shows a table with totals and limits, and renders no foreign markup', () => {
    const old = sent({ startedAt: '2026-04-20T10:00:00.000Z', source: 'file:///a%7Cb%5Bx%5D(command:y).jsonl' }, tokens);
    const page = toSpendPage(rowsOf([sent({}, tokens), old], [session('120')]), shown);
    assert.match(
      page,
      /\\\$3\\\.60 today, \\\$3\\\.60 in the last 7 days, \\\$6\\\.00 in the last 30 days\\\. Limit per batch: \\\$5\\\.00\\\. Daily limit: \\\$20\\\.00\\\./,
    );
    assert.match(page, /\| May 4, 2026 \| Lab \| vendor\\-sonnet\\-5 \| requests\\\.jsonl \| 412 \| – \| \\\$2\\\.40 \| 50% \| 12 \|/);
    assert.match(page, /\| May 4, 2026 \| Lab \| vendor\\-opus\\-4\\-5 \| Careful \\\(agent\\\) \| 1 session \|/);
    assert.match(page, /a\\\|b\\\[x\\\]\\\(command:y\\\)\\\.jsonl/);
    assert.deepEqual(page.match(/\]\(command:[^?]*/g), ['](command:managedAgents.spend.export']);
    assert.match(toSpendPage([], shown), /appear here/);
  });

  it('shows the newest 500 rows and counts the others', () => {
    const many = Array.from({ length: 503 }, (_, at) => sent({ source: `file:///${at}.jsonl` }));
    assert.match(toSpendPage(rowsOf(many), shown), /^Further rows, only in the export: 3\.$/m);
  });

  it('exports all rows as CSV that no spreadsheet executes', () => {
    const csv = toSpendCsv(rowsOf([sent({ source: '=cmd()' }, tokens), sent({ source: 'file:///open.jsonl' })]));
    const [head, first, second] = csv.split('\r\n');
    assert.match(head ?? '', /^day,connection,model,kind,file_or_agent,requests,currency,estimated_low,.*,cache_share,failed$/);
    assert.match(first ?? '', /^2026-05-0\d,Lab,vendor-sonnet-5,file,'=cmd\(\),412,USD,,,,2\.4,2\.4,yes,0\.5,12$/);
    assert.match(second ?? '', /,file:\/\/\/open\.jsonl,412,USD,,,,,,no,,0$/);
  });
});
