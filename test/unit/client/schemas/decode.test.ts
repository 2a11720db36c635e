import assert from 'node:assert/strict';
import * as z from 'zod';
import { decodeTolerantly } from '../../../../src/client/transport/decode';

describe('client/schemas/decode', () => {
  const schema = z.looseObject({
    id: z.string(),
    count: z.number().default(0),
    inner: z.looseObject({ a: z.number().optional(), b: z.string().optional() }).optional(),
    rows: z.array(z.looseObject({ n: z.number() })).default([]),
  });

  it('keeps unknown fields, at every depth', () => {
    const value = { id: 'a', x: { y: [1] }, inner: { c: null }, rows: [{ n: 1, z: 2 }], count: 3 };
    assert.deepEqual(decodeTolerantly(schema, value), value);
  });

  it('leaves out only fields of a wrong type', () => {
    const paths: (readonly string[])[] = [];
    const value = { id: 'a', count: '5', inner: { a: 'x', b: 'y', c: 1 }, rows: [{ n: 1 }, 5, { n: 2 }] };
    const data = decodeTolerantly(schema, value, found => paths.push(found));
    assert.deepEqual(data, { id: 'a', count: 0, inner: { b: 'y', c: 1 }, rows: [{ n: 1 }, { n: 2 }] });
    assert.deepEqual(paths, [['count', 'inner.a', 'rows.1']]);
  });

  it('returns nothing without a required field', () => {
    for (const value of [{}, { id: 5 }, null, [], 'x', 5, { id: 'a', rows: [{ n: 'x' }] }]) {
      const expected = value !== null && typeof value === 'object' && 'rows' in value ? { id: 'a', count: 0, rows: [] } : undefined;
      assert.deepEqual(decodeTolerantly(schema, value), expected, JSON.stringify(value));
    }
  });

  it('removes the right elements if several are invalid', () => {
    const two = z.looseObject({ rows: z.array(z.looseObject({ n: z.number(), m: z.number() })) });
    const rows = [{ n: 1, m: 1 }, {}, { n: 2, m: 2 }, 7, { n: 'x', m: 3 }, { n: 3, m: 3 }];
    assert.deepEqual(decodeTolerantly(two, { rows }), { rows: [rows[0], rows[2], rows[5]] });
  });

  it('checks each element a few times, however many are invalid', () => {
    let reads = 0;
    const rows = new Proxy(
      Array.from({ length: 10_000 }, (_, n) => (n % 10 === 0 ? { n } : n)),
      {
        get: (target, key, receiver) => {
          reads++;
          return Reflect.get(target, key, receiver);
        },
      },
    );
    const data = decodeTolerantly(schema, { id: 'a', rows });
    assert.equal(data?.rows.length, 1_000);
    assert.ok(reads < 100_000, `${reads} reads`);
  });

  it('treats a key called __proto__ as a key', () => {
    const data = decodeTolerantly(schema, JSON.parse('{"id":"a","__proto__":{"polluted":true}}'));
    assert.equal((data as { polluted?: unknown } | undefined)?.polluted, undefined);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
});
