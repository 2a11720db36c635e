import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { costOfUsage, describeCost } from '../../../../src/features/batches/runCost';
import { readIndexOf } from '../../../../src/jsonl/results/resultsIndexFile';
import { joinResults } from '../../../../src/jsonl/results/resultsJoin';
import { addUsage, countRows } from '../../../../src/jsonl/results/resultUsage';
import { makeJoined, quiet, succeeded } from '../querying/joinedFile';

describe('jsonl/results/resultUsage', () => {
  it('distinguishes one-hour cache writes from five-minute ones, so that the cost is exact', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'result-usage-'));
    try {
      const file = (name: string) => path.join(folder, name);
      const rawPath = path.resolve('test/fixtures/results/one-hour.results.jsonl');
      const { report } = await joinResults({ rawPath, joinedPath: file('joined'), indexPath: file('index') }, quiet);
      const [usage] = report.usage ?? [];
      assert.deepEqual(usage, {
        ...{ model: 'vendor-haiku-4-5-20251001', answers: 2, uncounted: 0, inputTokens: 40, outputTokens: 8 },
        ...{ cacheReadTokens: 1_000_000, cacheWriteTokens: 1_000_000, cacheWrite5mTokens: 0, cacheWrite1hTokens: 1_000_000 },
      });
      const prices = new Map([['vendor-haiku-4-5', { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 }]]);
      const cost = costOfUsage(report.usage ?? [], prices);
      assert.ok(cost);
      assert.equal(describeCost(cost, { translate: text => text, locale: 'en', currency: 'USD' }), '$1.05');
      assert.equal(readFileSync(rawPath, 'utf8').trimEnd().split('\n').length, 2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('sums by model, and counts answers without token counts', async () => {
    const of = (model: string, usage: object | undefined) => succeeded('x', { more: { model, usage } });
    const joined = await makeJoined([
      ['a', of('m', { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 9 })],
      [
        'b',
        of('n', { input_tokens: 10, output_tokens: 20, cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 } }),
      ],
      ['c', of('m', undefined)],
      ['d', of('m', { input_tokens: 5, output_tokens: null })],
      ['e', { type: 'expired' }],
    ]);
    try {
      const { rows, reasons } = readIndexOf(joined);
      const { usage = [], inputTokens, cacheWriteTokens } = countRows(rows, reasons);
      assert.deepEqual(
        usage.map(({ model, answers, uncounted, inputTokens }) => [model, answers, uncounted, inputTokens]),
        [
          ['m', 3, 2, 6],
          ['n', 1, 0, 10],
        ],
      );
      assert.deepEqual([inputTokens, cacheWriteTokens, addUsage(usage).cacheWrite1hTokens], [16, 16, 4]);
    } finally {
      await joined.remove();
    }
  });
});
