import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isEqual, mergeDefinitions, toPatch } from '../../../../../src/features/resources/definitions/mergeDefinitions';

const base = {
  name: 'A',
  model: { id: 'm', speed: 'standard' },
  system: 'One\nTwo\nThree',
  tools: [{ name: 'x' }, { name: 'y' }, { name: 'z' }],
  metadata: { team: 'ops' },
};

describe('features/resources/definitions/mergeDefinitions', () => {
  it('merges a text that both sides changed by lines, with conflicts only in lines that both changed', () => {
    const text = (...lines: readonly string[]) => ({ name: 'a', system: lines.join('\n') });
    const { definition, conflicts } = mergeDefinitions(
      text('one', 'two', 'three', 'four', 'five'),
      text('ONE', 'two', 'mine', 'four', 'five'),
      text('one', 'two', 'theirs', 'four', 'FIVE'),
    );
    assert.deepEqual(definition, text('ONE', 'two', 'mine', 'four', 'FIVE'));
    assert.deepEqual(conflicts, [
      {
        path: ['system'],
        base: text('one', 'two', 'three', 'four', 'five').system,
        mine: text('ONE', 'two', 'mine', 'four', 'FIVE').system,
        theirs: text('ONE', 'two', 'theirs', 'four', 'FIVE').system,
      },
    ]);
  });

  it('applies changes that only one side made', () => {
    const mine = { ...base, name: 'B', model: { id: 'm', speed: 'fast' } };
    const theirs = { ...base, model: { id: 'n', speed: 'standard' }, metadata: { team: 'ops', owner: 'ann' } };
    const { definition, conflicts } = mergeDefinitions(base, mine, theirs);
    assert.deepEqual(conflicts, []);
    assert.deepEqual(definition, { ...base, name: 'B', model: { id: 'n', speed: 'fast' }, metadata: { team: 'ops', owner: 'ann' } });
  });

  it('merges texts by lines and arrays by elements', () => {
    const mine = { ...base, system: 'One!\nTwo\nThree', tools: [{ name: 'x' }, { name: 'y' }, { name: 'z' }, { name: 'mine' }] };
    const theirs = { ...base, system: 'One\nTwo\nThree!', tools: [{ name: 'x2' }, { name: 'y' }, { name: 'z' }] };
    const { definition, conflicts } = mergeDefinitions(base, mine, theirs);
    assert.deepEqual(conflicts, []);
    assert.equal(definition.system, 'One!\nTwo\nThree!');
    assert.deepEqual(definition.tools, [{ name: 'x2' }, { name: 'y' }, { name: 'z' }, { name: 'mine' }]);
  });

  it('lists what both sides changed, and keeps mine there', () => {
    const mine = { ...base, model: { id: 'mine', speed: 'standard' }, system: 'Mine' };
    const theirs = { ...base, model: { id: 'theirs', speed: 'standard' }, system: 'Theirs' };
    const { definition, conflicts } = mergeDefinitions(base, mine, theirs);
    assert.deepEqual(
      conflicts.map(({ path }) => path.join('.')),
      ['model.id', 'system'],
    );
    assert.equal(conflicts[1]?.theirs, 'Theirs');
    assert.equal(definition.system, 'Mine');
  });

  it('finds a conflict if one side removed what the other changed', () => {
    const { tools: _, ...without } = base;
    const { conflicts } = mergeDefinitions(base, without, { ...base, tools: [] });
    assert.deepEqual(
      conflicts.map(({ path, mine, theirs }) => [path, mine, theirs]),
      [[['tools'], undefined, []]],
    );
    const merged = mergeDefinitions(base, without, base);
    assert.deepEqual([merged.conflicts.length, 'tools' in merged.definition], [0, false]);
  });

  it('returns the other side if one changed nothing', () => {
    const definition = fc.dictionary(fc.constantFrom('name', 'model', 'system', 'tools'), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(definition, definition, (from, to) => {
        assert.ok(isEqual(mergeDefinitions(from, to, from).definition, to));
        assert.ok(isEqual(mergeDefinitions(from, from, to).definition, to));
        assert.deepEqual(mergeDefinitions(from, to, to).conflicts, []);
      }),
    );
  });
});

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
