import assert from 'node:assert/strict';
import { choiceOf, countOf, createdFilter, flagOf, limitOf, refuseUnknownNames, valuesOf } from '../../../../src/emulator/http/listQuery';

describe('emulator/http/listQuery', () => {
  const query = (text: string) => new URLSearchParams(text);

  it('limits the page size', () => {
    const limits = { normal: 20, most: 100 };
    assert.deepEqual([limitOf(query(''), limits), limitOf(query('limit=100'), limits)], [20, 100]);
    for (const bad of ['0', '101', '-1', '1.5', 'many', '']) {
      assert.throws(() => limitOf(query(`limit=${bad}`), limits), /^ApiError: limit: must be between 1 and 100/);
    }
  });

  it('reads each kind of value, and rejects any other', () => {
    assert.deepEqual([flagOf(query('a=true'), 'a'), flagOf(query('a=false'), 'a'), flagOf(query(''), 'a')], [true, false, false]);
    assert.throws(() => flagOf(query('a=1'), 'a'));
    assert.deepEqual([countOf(query('n=12'), 'n'), countOf(query(''), 'n')], [12, undefined]);
    for (const bad of ['0', '-3', '1e3', '']) {
      assert.throws(() => countOf(query(`n=${bad}`), 'n'));
    }
    assert.deepEqual([choiceOf(query('o=asc'), 'o', ['asc', 'desc']), choiceOf(query(''), 'o', ['asc'])], ['asc', undefined]);
    assert.throws(() => choiceOf(query('o=up'), 'o', ['asc', 'desc']), /asc, desc/);
    assert.deepEqual([valuesOf(query('t[]=a&t%5B%5D=b'), 't'), valuesOf(query('t=a'), 't')], [['a', 'b'], undefined]);
  });

  it('compares times with every given bound', () => {
    const at = (second: number) => Date.parse(`2026-01-01T00:00:0${second}Z`);
    const passing = (text: string) => [1, 2, 3, 4].filter(second => createdFilter(query(text))(at(second)));
    const time = (second: number) => `2026-01-01T00:00:0${second}Z`;
    assert.deepEqual(passing(''), [1, 2, 3, 4]);
    assert.deepEqual(passing(`created_at[gte]=${time(2)}&created_at[lt]=${time(4)}`), [2, 3]);
    assert.deepEqual(passing(`created_at[gt]=${time(2)}&created_at[lte]=${time(4)}`), [3, 4]);
    for (const bad of ['tomorrow', '2026-01-01', '', '5']) {
      assert.throws(() => createdFilter(query(`created_at[gt]=${bad}`)), /created_at\[gt\]/);
    }
  });

  it("rejects names that aren't filters of the list", () => {
    refuseUnknownNames(query('beta=true&limit=1&page=x&types[]=a&order=asc'), ['types', 'order']);
    assert.throws(() => refuseUnknownNames(query('colour=red'), ['types']), /^ApiError: colour: unknown filter/);
  });
});
