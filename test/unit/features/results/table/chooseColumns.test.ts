import assert from 'node:assert/strict';
import { toJsonPaths } from '../../../../../src/features/results/table/chooseColumns';
import { columnLayoutSchema } from '../../../../../src/shared/results/fromResultsSchema';

describe('features/results/table/chooseColumns', () => {
  it('accepts several fields at once', () => {
    assert.deepEqual(toJsonPaths('label, $.items[0].score ,'), ['$.label', '$.items.0.score']);
    assert.deepEqual(toJsonPaths(' '), []);
    assert.equal(toJsonPaths('label, a..b'), undefined);
    assert.equal(toJsonPaths('a b'), undefined);
  });

  it('keeps as many columns as are offered', () => {
    const layout = Array.from({ length: 320 }, (_, at) => ({ name: `$.f${at}` as const }));
    assert.deepEqual(columnLayoutSchema.parse(layout), layout);
  });
});
