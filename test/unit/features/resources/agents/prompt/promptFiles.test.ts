import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PromptDocument, promptIn, withPrompt } from '../../../../../../src/features/resources/agents/prompt/promptFiles';
import { anyCharacter } from '../../../../../helpers/anyCharacter';
import { runs } from '../../../../../helpers/runs';

const lines = (...all: readonly string[]) => all.join('\n');

describe('features/resources/agents/prompt/promptDocument', () => {
  const base = lines('You are careful.', 'Say why.', 'Be short.');
  const theirs = lines('You are careful.', 'Say why.', 'Be long.');
  const mine = lines('You are bold.', 'Say why.', 'Be short.');

  it('is a newer file when the agent changed and the editor has no changes', () => {
    const text = new PromptDocument(base, 10);
    const before = text.state(base, undefined);
    const after = text.state(theirs, undefined);
    assert.ok(after.stamp > before.stamp);
    assert.equal(text.read(theirs, false), theirs);
    assert.deepEqual(text.state(theirs, undefined), { stamp: after.stamp, bytes: Buffer.byteLength(theirs) });
  });

  it('changes its size whenever it is newer, because VS Code compares both', () => {
    const text = new PromptDocument('abc', 10);
    assert.notEqual(text.state('xyz', undefined).bytes, 3);
  });

  it("isn't a newer file while both changes merge by lines, and is read again after they were saved", () => {
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

  it('is a newer file if both sides changed the same line, until the user overwrites it', () => {
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

describe('features/resources/agents/prompt/promptDocument promptIn and withPrompt', () => {
  it('returns the prompt, or undefined if the document has none', () => {
    assert.equal(promptIn('{"name":"a","system":"Be\\nshort."}'), 'Be\nshort.');
    assert.equal(promptIn('{"name":"a"}'), '');
    assert.equal(promptIn('{"name":"a","system":null}'), '');
    for (const document of ['', '{', '[]', '{"system":{"type":"x"}}', '{"system":7}']) {
      assert.equal(promptIn(document), undefined, document);
    }
  });

  it('replaces only the prompt and keeps the rest of the text', () => {
    assert.equal(
      withPrompt('{\n    "model" : "m",  "system": "old",\n\t"big": 12345678901234567890 }\n', 'new "words"\n'),
      '{\n    "model" : "m",  "system": "new \\"words\\"\\n",\n\t"big": 12345678901234567890 }\n',
    );
    assert.equal(withPrompt('{"system":"old"}', ''), '{"system":null}');
    assert.equal(withPrompt('{"system": null }', ''), '{"system": null }');
    assert.equal(withPrompt('{"name":"a"}', 'x'), '{\n  "system": "x","name":"a"}');
    assert.equal(withPrompt('{}', 'x'), '{\n  "system": "x"\n}');
  });

  it('writes the given prompt to any document', () => {
    const key = fc.oneof(fc.constantFrom('system', 'name', 'model', '__proto__'), fc.string());
    const pair = fc.tuple(key, fc.jsonValue()).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 5 }), fc.string({ unit: anyCharacter }), (pairs, prompt) => {
        const document = `{${pairs.join(' , ')}}`;
        if (promptIn(document) === undefined) {
          assert.throws(() => withPrompt(document, prompt));
          return;
        }
        const after = withPrompt(document, prompt);
        assert.equal(promptIn(after), prompt);
        assert.deepEqual({ ...JSON.parse(after), system: 0 }, { ...JSON.parse(document), system: 0 });
      }),
      { numRuns: runs(1000) },
    );
  });
});
