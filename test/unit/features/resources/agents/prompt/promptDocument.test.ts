import assert from 'node:assert/strict';
import { PromptDocument } from '../../../../../../src/features/resources/agents/prompt/promptDocument';

const lines = (...all: readonly string[]) => all.join('\n');

describe('features/agents/prompt/promptDocument', () => {
  const base = lines('You are careful.', 'Say why.', 'Be short.');
  const theirs = lines('You are careful.', 'Say why.', 'Be long.');
  const mine = lines('You are bold.', 'Say why.', 'Be short.');

  it('is a newer file when the agent changed and the editor holds nothing of its own', () => {
    const text = new PromptDocument(base, 10);
    const before = text.state(base, undefined);
    const after = text.state(theirs, undefined);
    assert.ok(after.stamp > before.stamp);
    assert.equal(text.read(theirs, false), theirs);
    assert.deepEqual(text.state(theirs, undefined), { stamp: after.stamp, bytes: Buffer.byteLength(theirs) });
  });

  it('is another size whenever it is newer: VS Code looks at both', () => {
    const text = new PromptDocument('abc', 10);
    assert.notEqual(text.state('xyz', undefined).bytes, 3);
  });

  it('is no newer file while both changes merge by lines, and is read again after they were saved', () => {
    const text = new PromptDocument(base, 10);
    assert.deepEqual(text.state(theirs, mine), text.state(base, undefined));
    const merged = lines('You are bold.', 'Say why.', 'Be long.');
    assert.equal(text.save(mine, theirs), merged);
    text.saved(mine, merged);
    const saved = text.state(merged, undefined);
    assert.equal(saved.bytes, Buffer.byteLength(mine));
    assert.equal(text.settle(), true);
    assert.ok(text.state(merged, undefined).stamp > saved.stamp);
    assert.equal(text.read(merged, false), merged);
    assert.equal(text.settle(), false);
  });

  it('is a newer file where both changed the same line, however often it is compared, until the user overwrites it', () => {
    const text = new PromptDocument(base, 10);
    const other = lines('You are bold.', 'Say why.', 'Be brief.');
    const conflict = text.state(theirs, other);
    assert.ok(conflict.stamp > 10);
    assert.equal(text.read(theirs, true), theirs);
    assert.deepEqual(text.state(theirs, other), conflict);
    assert.equal(text.save(other, theirs), other);
    text.saved(other, other);
    assert.equal(text.settle(), false);
    assert.equal(text.state(other, undefined).bytes, Buffer.byteLength(other));
  });
});
