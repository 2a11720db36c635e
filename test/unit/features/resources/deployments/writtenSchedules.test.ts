import assert from 'node:assert/strict';
import { findBudget, findSchedule, partOfExpression } from '../../../../../src/features/resources/deployments/writtenSchedules';

const text = '{\n  "name": "n",\n  "schedule": {"type": "cron", "expression": "0 25 * * *", "timezone": "UTC"}\n}\n';

describe('features/resources/deployments/writtenSchedules', () => {
  it('finds the schedule and where its parts stand', () => {
    const found = findSchedule(text);
    assert.ok(found !== undefined);
    assert.deepEqual([found.expression, found.timezone], ['0 25 * * *', 'UTC']);
    assert.equal(text.slice(found.expressionSpan.start, found.expressionSpan.end), '"0 25 * * *"');
    assert.equal(text.slice(found.timezoneSpan?.start, found.timezoneSpan?.end), '"UTC"');
    const part = partOfExpression(found, 2, 4);
    assert.equal(text.slice(part.start, part.end), '25');
  });

  it('keeps places behind a byte order mark, and takes all of an expression with escapes', () => {
    const marked = `\uFEFF${text}`;
    const found = findSchedule(marked);
    assert.equal(marked.slice(found?.expressionSpan.start, found?.expressionSpan.end), '"0 25 * * *"');
    const escaped = '{"schedule":{"expression":"0\\u0020* * * *"}}';
    const other = findSchedule(escaped);
    assert.ok(other !== undefined);
    assert.deepEqual([other.expression, other.timezone, other.timezoneSpan], ['0 * * * *', 'UTC', undefined]);
    assert.deepEqual(partOfExpression(other, 0, 1), other.expressionSpan);
    assert.deepEqual(partOfExpression(found ?? other, 3, 3), (found ?? other).expressionSpan);
  });

  for (const [what, other] of [
    ['no JSON', '{'],
    ['another value', '[1]'],
    ['no schedule', '{"schedule": null}'],
    ['a schedule of another shape', '{"schedule": [{"expression": "* * * * *"}]}'],
    ['an expression that is no text', '{"schedule": {"expression": 5}}'],
  ]) {
    it(`finds none in ${what}`, () => {
      assert.equal(findSchedule(other ?? ''), undefined);
    });
  }

  it('finds the budget in whole cents, and where it ends', () => {
    const written = '\uFEFF{"budget": {"max_list_cost": {"amount": "500", "currency": "EUR"}}}';
    const budget = findBudget(written);
    assert.deepEqual([budget?.cents, budget?.currency], ['500', 'EUR']);
    assert.equal(written.slice(0, budget?.end), '\uFEFF{"budget": {"max_list_cost": {"amount": "500"');
    assert.equal(findBudget('{"budget": {"max_list_cost": {"amount": "5"}}}')?.currency, 'USD');
    for (const none of [
      '{',
      '{"budget": null}',
      '{"budget": {"max_list_cost": {"amount": 5}}}',
      '{"budget": {"max_list_cost": {"amount": "5.5"}}}',
    ]) {
      assert.equal(findBudget(none), undefined, none);
    }
  });
});
