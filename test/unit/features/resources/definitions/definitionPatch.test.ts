import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isEqual, toPatch } from '../../../../../src/features/resources/definitions/definitionPatch';

describe('features/resources/definitions/definitionPatch', () => {
  it('sends changes, null for removed fields, and metadata by key', () => {
    const before = { name: 'a', description: 'x', config: { type: 'cloud' }, metadata: { kept: '1', gone: '2' } };
    const after = { name: 'a', config: { type: 'cloud', networking: { type: 'limited' } }, metadata: { kept: '1', fresh: '3' } };
    const { fields, changed } = toPatch(before, after);
    assert.deepEqual(fields, { config: after.config, metadata: { fresh: '3', gone: null }, description: null });
    assert.deepEqual([...changed].sort(), ['config', 'description', 'metadata']);
  });

  it('sends nothing if only the order differs', () => {
    assert.deepEqual(toPatch({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }), { fields: {}, changed: [] });
  });

  it('contains the changes and the version they are based on', () => {
    const before = { name: 'A', model: { id: 'm', speed: 'standard' }, system: 'Old', tools: [{ type: 'custom', name: 'x' }] };
    const after = { ...before, system: 'New', model: { speed: 'standard', id: 'm' } };
    assert.deepEqual(toPatch(before, after, 4), { fields: { version: 4, system: 'New' }, changed: ['system'] });
  });

  it('clears removed fields', () => {
    assert.deepEqual(toPatch({ name: 'A', system: 'Old', tools: [1] }, { name: 'A' }, 1).fields, {
      version: 1,
      system: null,
      tools: null,
    });
  });

  it('patches metadata by key', () => {
    const patch = toPatch({ metadata: { a: '1', b: '2', c: '3' } }, { metadata: { a: '1', b: '4', d: '5' } }, 2);
    assert.deepEqual(patch.fields, { version: 2, metadata: { b: '4', d: '5', c: null } });
    assert.deepEqual(toPatch({ metadata: { a: '1' } }, {}, 2).fields, { version: 2, metadata: { a: null } });
  });

  it('patches metadata keys that are also inherited members of objects', () => {
    const before = { metadata: JSON.parse('{"__proto__":{},"constructor":"a"}') };
    assert.equal(
      JSON.stringify(toPatch(before, { metadata: {} }, 2).fields),
      '{"version":2,"metadata":{"__proto__":null,"constructor":null}}',
    );
    assert.equal(JSON.stringify(toPatch({}, before, 2).fields), '{"version":2,"metadata":{"__proto__":{},"constructor":"a"}}');
  });

  it('treats an absent field as null', () => {
    assert.deepEqual(toPatch({ system: null }, {}, 1).changed, []);
    assert.equal(isEqual({ a: null }, {}), true);
    assert.equal(isEqual([null], []), false);
    assert.equal(isEqual({ a: 0 }, { a: null }), false);
  });

  it('produces a patch that turns any definition into any other', () => {
    const definition = fc.dictionary(fc.constantFrom('name', 'system', 'tools', 'metadata', 'extra'), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(definition, definition, (before, after) => {
        const { fields } = toPatch(before, after, 1);
        const applied: Record<string, unknown> = { ...before };
        for (const [name, value] of Object.entries(fields)) {
          const old = applied[name];
          const isMap = (map: unknown): map is Record<string, unknown> => typeof map === 'object' && map !== null && !Array.isArray(map);
          if (name === 'metadata' && isMap(value)) {
            const merged = { ...(isMap(old) ? old : {}), ...value };
            applied[name] = Object.fromEntries(Object.entries(merged).filter(([, entry]) => entry !== null));
          } else if (name !== 'version') {
            applied[name] = value;
          }
        }
        const wanted = isEqual(after.metadata, null) || typeof after.metadata === 'object' ? after : undefined;
        if (wanted !== undefined && !Array.isArray(after.metadata)) {
          const clean = (map: Readonly<Record<string, unknown>>) =>
            Object.fromEntries(Object.entries(map).filter(([name]) => name !== 'metadata'));
          assert.ok(isEqual(clean(applied), clean(after)));
        }
      }),
    );
  });
});
