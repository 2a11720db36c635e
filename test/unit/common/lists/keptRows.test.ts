import assert from 'node:assert/strict';
import { KeptRows } from '../../../../src/common/lists/keptRows';

interface Row {
  readonly id: string;
  readonly look: string;
  readonly until?: number;
}

describe('common/lists/keptRows', () => {
  let now: number;
  let made: string[];
  let kept: KeptRows<Row, { look: string }>;
  const row = (id: string, look = id): Row => ({ id, look });
  const many = Array.from({ length: 10_000 }, (_, index) => row(`r${index}`));

  beforeEach(() => {
    now = 0;
    made = [];
    kept = new KeptRows<Row, { look: string }>(
      ({ id }) => id,
      ({ id, look, until = Number.POSITIVE_INFINITY }, before) => {
        made.push(id);
        return { item: Object.assign(before ?? {}, { look }), look, until };
      },
      () => now,
    );
  });

  it('makes what changed, and tells of that alone', () => {
    kept.take(many);
    assert.equal(made.length, 10_000);
    const item = kept.items[7];
    const { wasSame, changed } = kept.take(many.with(7, row('r7', 'other')));
    assert.deepEqual([made.slice(10_000), wasSame, changed], [['r7'], true, [{ look: 'other' }]]);
    assert.equal(changed[0], item, 'It is still the same row.');
    assert.equal(kept.items.length, 10_000);
  });

  it('makes only what was loaded behind the others, and tells that there are other rows', () => {
    kept.take(many.slice(0, 9_900));
    made = [];
    assert.equal(kept.take(many).wasSame, false);
    assert.equal(made.length, 100);
    assert.deepEqual(kept.take(many), { wasSame: true, changed: [] });
    assert.equal(made.length, 100);
  });

  it('makes again what is due, and tells of it when it looks different', () => {
    const ages = [
      { ...row('old'), until: 1_000 },
      { ...row('new'), until: 50 },
    ];
    kept.take(ages);
    now = 49;
    kept.take(ages);
    assert.deepEqual(made, ['old', 'new']);
    now = 50;
    assert.deepEqual(kept.take(ages), { wasSame: true, changed: [] });
    assert.deepEqual(made, ['old', 'new', 'new']);
  });

  it('tells that rows are in another order, or that one is gone', () => {
    const [a, b] = [row('a'), row('b')];
    assert.equal(kept.take([a, b]).wasSame, false);
    assert.equal(kept.take([b, a]).wasSame, false);
    assert.equal(kept.take([b]).wasSame, false);
    assert.deepEqual(made, ['a', 'b']);
  });
});
