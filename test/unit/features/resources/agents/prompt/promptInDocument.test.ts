import assert from 'node:assert/strict';
import fc from 'fast-check';
import { promptIn, withPrompt } from '../../../../../../src/features/resources/agents/prompt/promptInDocument';
import { anyCharacter } from '../../../../../helpers/anyCharacter';
import { runs } from '../../../../../helpers/runs';

describe('features/agents/prompt/promptInDocument', () => {
  it('reads the prompt, and none where there is no text', () => {
    assert.equal(promptIn('{"name":"a","system":"Be\\nshort."}'), 'Be\nshort.');
    assert.equal(promptIn('{"name":"a"}'), '');
    assert.equal(promptIn('{"name":"a","system":null}'), '');
    for (const document of ['', '{', '[]', '{"system":{"type":"x"}}', '{"system":7}']) {
      assert.equal(promptIn(document), undefined, document);
    }
  });

  it('changes that one value and leaves the rest as it was typed', () => {
    assert.equal(
      withPrompt('{\n    "model" : "m",  "system": "old",\n\t"big": 12345678901234567890 }\n', 'new "words"\n'),
      '{\n    "model" : "m",  "system": "new \\"words\\"\\n",\n\t"big": 12345678901234567890 }\n',
    );
    assert.equal(withPrompt('{"system":"old"}', ''), '{"system":null}');
    assert.equal(withPrompt('{"system": null }', ''), '{"system": null }');
    assert.equal(withPrompt('{"name":"a"}', 'x'), '{\n  "system": "x","name":"a"}');
    assert.equal(withPrompt('{}', 'x'), '{\n  "system": "x"\n}');
  });

  it('says what it was told, whatever the document is like', () => {
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
