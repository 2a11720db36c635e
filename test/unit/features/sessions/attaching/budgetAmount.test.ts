import assert from 'node:assert/strict';
import fc from 'fast-check';
import { centsOf, describeAmountProblem, toBudget, toCents, toDollars } from '../../../../../src/features/sessions/attaching/budgetAmount';
import { runs } from '../../../../helpers/runs';
import { fillPlaceholders as t } from '../../requests/fillPlaceholders';

describe('features/sessions/attaching/budgetAmount', () => {
  it('converts dollars to whole cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), cents => {
        const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        assert.equal(toCents(text), cents);
        assert.deepEqual(toBudget(cents).max_list_cost, { amount: String(cents), currency: 'USD' });
        assert.equal(centsOf(toBudget(cents).max_list_cost), cents);
      }),
      { numRuns: runs(300) },
    );
    assert.deepEqual(['2.5', '$3', ' $ 0.07 ', '10', '0', '19.99', '4.35'].map(toCents), [250, 300, 7, 1000, 0, 1999, 435]);
  });

  it('rejects an invalid amount, or fractions of a cent', () => {
    for (const text of ['', '-1', '1,50', '1.234', '.5', '1e3', 'two', '1 000', '$', '1.', '0x10', '1'.repeat(10), '€3']) {
      assert.equal(toCents(text), undefined, text);
      assert.match(describeAmountProblem(text, 0, 'en', t) ?? '', /such as 2\.50/);
    }
  });

  it('requires more than was spent', () => {
    assert.match(describeAmountProblem('0', 0, 'en', t) ?? '', /more than \$0\.00/);
    assert.match(describeAmountProblem('0.42', 42, 'en', t) ?? '', /more than \$0\.42/);
    assert.equal(describeAmountProblem('0.43', 42, 'en', t), undefined);
    assert.equal(toDollars(123_456, 'en'), '$1,234.56');
  });

  it("reads the service's amount in whole cents of dollars", () => {
    assert.equal(centsOf({ amount: '250' }), 250);
    for (const value of [null, undefined, { amount: '2.5' }, { amount: '' }, { amount: '5', currency: 'EUR' }]) {
      assert.equal(centsOf(value), undefined);
    }
  });
});
