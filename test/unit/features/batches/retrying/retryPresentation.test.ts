import assert from 'node:assert/strict';
import {
  describeAct,
  describeCredit,
  describeMaxTokensProblem,
  describeReason,
  proposedAct,
} from '../../../../../src/features/batches/retrying/retryPresentation';
import type { RetryGroup } from '../../../../../src/jsonl/retrying/planRetry';
import { english } from '../../requests/fillPlaceholders';
import { groupOf } from '../sheet/sheetUnderTest';

const context = { ...english, now: 0 };
const models = [{ model: 'm', requests: 3, minOfOne: 100, maxOfOne: 500 }];
const group = (more: Partial<RetryGroup> = {}) => groupOf('a', 3, { remedy: { kind: 'raise_max_tokens', to: 1000 }, models, ...more });

describe('features/batches/retrying/retryPresentation', () => {
  it('proposes the change that fixes a cause, and none if nothing needs to change', () => {
    assert.deepEqual(proposedAct(group()).change, { kind: 'raise_max_tokens', to: 1000 });
    assert.equal(proposedAct(group({ action: 'resend' })).change, undefined);
    assert.equal(proposedAct(group({ action: 'edit', remedy: { kind: 'choose_model' } })).change, undefined);
  });

  it("limits max_tokens to the models' maximum", () => {
    const told = (text: string, most?: number) => describeMaxTokensProblem(text, most, english);
    assert.deepEqual([told('999999999'), told(' 64000 ', 64_000), told('1', 1)], [undefined, undefined, undefined]);
    assert.match(told('64001', 64_000) ?? '', /at most 64,000/);
    for (const text of ['', '0', '-1', '1.5', '1e3', 'many']) {
      assert.match(told(text, 64_000) ?? '', /whole number/, text);
    }
    assert.match(describeReason(group(), context), /charged again/);
    assert.doesNotMatch(describeReason(group({ maxAllowed: 5 }), context), /not known/);
  });

  it('describes the change, and never offers to resend if an edit is needed', () => {
    assert.equal(describeAct(group(), proposedAct(group()), context), 'Raise max_tokens to 1,000');
    const each = { kind: 'raise_each', bounds: [], least: 256, most: 64_000 } as const;
    assert.equal(describeAct(group(), { change: each }, context), 'Raise max_tokens, 256 to 64,000');
    assert.equal(describeAct(group({ action: 'resend' }), { change: undefined }, context), 'Send without changes');
    assert.equal(describeAct(group({ action: 'edit', remedy: undefined }), { change: undefined }, context), 'Edit requests first');
    assert.equal(describeAct(group(), { change: { kind: 'remove', path: ['thinking', 'x'] } }, context), 'Remove thinking.x');
  });

  it('shows whether a credit is available, and until when', () => {
    assert.equal(describeCredit(group(), context), undefined);
    assert.match(
      describeCredit(group({ credit: { count: 2, usableUntil: undefined, models: ['k'] } }), context) ?? '',
      /expired .*: 2\..*recommends k\.$/,
    );
    assert.match(
      describeCredit(group({ credit: { count: 2, usableUntil: 0, models: [] } }), context) ?? '',
      /before a batch starts \(by .*\): 2\.$/,
    );
  });
});
