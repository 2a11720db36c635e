import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isEqual } from '../../../../../src/features/resources/definitions/definitionPatch';
import { mergeDefinitions } from '../../../../../src/features/resources/definitions/mergeDefinitions';

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
