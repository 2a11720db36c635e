import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toTrialOutcome, usualTrialSize } from '../../../../src/features/batches/sheet/choices';
import { predict } from '../../../../src/features/batches/sheet/prediction';
import { confirmBatchCount } from '../../../../src/features/batches/sheet/sending';
import { exceededLimit, greatestCost, spentSince, startOfDay, toSpendLimit } from '../../../../src/features/batches/spendLimit';
import { toRuns } from '../../../../src/features/ledger';
import { earlier, outgoingOf, past, prices, report, selectedFrom, facts as someFacts, survey } from './sheet/sheetUnderTest';

describe('features/batches/spendLimit', () => {
  it('checks the limit per batch first, then the daily limit with the cost so far', () => {
    assert.equal(exceededLimit({}, undefined, 1000), undefined);
    assert.equal(exceededLimit({ batch: 10, day: 20 }, 10, 10), undefined);
    assert.deepEqual(exceededLimit({ batch: 10, day: 20 }, 10.5, 100), { per: 'batch', amount: 10.5, limit: 10 });
    assert.deepEqual(exceededLimit({ day: 20 }, 10.5, 10), { per: 'day', amount: 20.5, limit: 20 });
    assert.equal(exceededLimit({ batch: 0 }, 0, 0), undefined);
  });

  it('ignores limits in the setting that are not amounts', () => {
    assert.deepEqual(toSpendLimit({ batch: 5, day: 0, week: 1 }), { batch: 5, day: 0 });
    for (const wrong of [null, undefined, 5, 'x', { batch: '5', day: -1 }, { batch: Number.NaN }]) {
      assert.deepEqual(toSpendLimit(wrong), {});
    }
  });

  it('exceeds every limit if the cost is unknown', () => {
    assert.deepEqual(exceededLimit({ batch: 10 }, undefined, 0), { per: 'batch', amount: undefined, limit: 10 });
    assert.deepEqual(exceededLimit({ day: 10 }, undefined, 3), { per: 'day', amount: undefined, limit: 10 });
  });

  it('uses the upper end of the prediction, or the bound without one', () => {
    const bound = greatestCost(predict(survey, { past: new Map(), counted: undefined }), prices) ?? assert.fail();
    const likely = greatestCost(predict(survey, { past, counted: undefined }), prices) ?? assert.fail();
    assert.ok(Math.abs(bound - 9.39) < 0.01);
    assert.ok(likely > 6.6 && likely < bound);
    assert.equal(greatestCost(predict(survey, { past, counted: undefined }), new Map([...prices].slice(0, 1))), undefined);
  });

  it('sums the runs of the day, each with its actual or estimated cost', () => {
    const day = startOfDay(Date.parse(earlier.startedAt));
    const estimate = [{ model: 'vendor-sonnet-5', inputLow: 0, inputHigh: 2_000_000, maxOutput: 0 }];
    const sent = { ...earlier, estimate };
    const before = { ...sent, id: '00000000-0000-4000-8000-000000000002', startedAt: new Date(day - 1).toISOString() };
    const failed = { ...sent, id: '00000000-0000-4000-8000-000000000003', state: 'failed' as const };
    assert.equal(spentSince(toRuns([sent, before, failed]), day, prices), 3);
    assert.equal(spentSince(toRuns([sent, before, failed]), day + 24 * 3_600_000, prices), 0);
  });
});

describe('features/batches/spendLimit trial', () => {
  it('returns the interval bounds of published tables', () => {
    const rows: readonly (readonly [succeeded: number, sampled: number, low: string, high: string])[] = [
      [0, 10, '0.0000', '0.2775'],
      [1, 10, '0.0179', '0.4042'],
      [5, 10, '0.2366', '0.7634'],
      [10, 10, '0.7225', '1.0000'],
      [50, 1000, '0.0381', '0.0653'],
    ];
    assert.deepEqual(
      rows.map(([kept, sampled]) => {
        const { low, high } = toTrialOutcome(sampled, { kept }, 0, undefined);
        return [kept, sampled, low.toFixed(4), high.toFixed(4)];
      }),
      rows,
    );
  });

  it('counts a good answer that fails its expectations as a failure', () => {
    const { succeeded, unmet } = toTrialOutcome(10, { kept: 9 }, 3, undefined);
    assert.deepEqual([succeeded, unmet], [6, 3]);
  });

  it('has 1 % of the requests by default, at least 10 and at most 50, but never all', () => {
    assert.deepEqual([5, 11, 200, 3000, 9000].map(usualTrialSize), [4, 10, 10, 30, 50]);
  });
});

describe('features/batches/spendLimit confirmBatchCount', () => {
  it('asks again before sending hundreds of batches, and sends none if the user declines', async () => {
    const { showWarningMessage } = vscode.window;
    const asked: unknown[] = [];
    let answer: string | undefined;
    const ask = (async (message: string) => {
      asked.push(message);
      return answer;
    }) as typeof showWarningMessage;
    Object.assign(vscode.window, { showWarningMessage: ask });
    const facts = (count: number) => {
      const parts = Array.from({ length: count }, (_, index) => selectedFrom(index, 1, 10));
      return { ...someFacts, outgoing: { ...outgoingOf(report), parts } };
    };
    try {
      assert.equal(await confirmBatchCount(someFacts), true);
      assert.equal(await confirmBatchCount(facts(99)), true);
      assert.deepEqual(asked, []);
      assert.equal(await confirmBatchCount(facts(240)), false);
      answer = 'Create 240 Batches';
      assert.equal(await confirmBatchCount(facts(240)), true);
      assert.deepEqual(asked, ['Create 240 batches from one file?', 'Create 240 batches from one file?']);
    } finally {
      Object.assign(vscode.window, { showWarningMessage });
    }
  });
});
