import assert from 'node:assert/strict';
import { explain } from '../../../../src/jsonl/guide/explain';
import { atCursor, requestSchema } from './guideSchema';

function at(marked: string) {
  const { text, column } = atCursor(marked);
  return explain(requestSchema, text, column);
}

describe('jsonl/guide/explain', () => {
  it('explains a field at its name and at its value', () => {
    for (const marked of ['{"params":{"max_to|kens":5}}', '{"params":{"max_tokens":|5}}', '{"max_tok|ens":5,"model":"m"}']) {
      const found = at(marked);
      assert.equal(found?.field, 'max_tokens', marked);
      assert.equal(found?.type, 'integer');
      assert.equal(found?.isRequired, true);
      assert.match(found?.words ?? '', /number of tokens/);
      assert.deepEqual(found?.limits, [{ kind: 'number', minimum: 0, maximum: undefined }]);
    }
  });

  it('knows the variant that a type names, at any position', () => {
    assert.match(at('{"params":{"thinking":{"budget_|tokens":1,"type":"enabled"}}}')?.words ?? '', /number of thinking tokens/);
    assert.equal(at('{"params":{"thinking":{"budget_|tokens":1,"type":"adaptive"}}}'), undefined);
    assert.equal(at('{"params":{"tools":[{"type":"bash_20250124","na|me":"bash"}]}}')?.words, '');
    assert.match(at('{"params":{"tools":[{"na|me":"x"}]}}')?.words ?? '', /^$/);
  });

  it('explains known values, deprecation and defaults', () => {
    const type = at('{"params":{"thinking":{"type":"ada|ptive"}}}');
    assert.equal(type?.value, 'adaptive');
    assert.equal(type?.values.find(({ value }) => value === 'adaptive')?.words, 'Thinks as much as needed.');
    const temperature = at('{"params":{"temper|ature":1}}');
    assert.match(temperature?.deprecation ?? '', /deprecated/);
    assert.equal(temperature?.default, 1);
    assert.equal(
      at(
        '{"params":{"messages":[{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral","t|tl":"5m"}}]}]}}',
      )?.default,
      '5m',
    );
  });

  it('explains the items of a list by the list', () => {
    assert.match(at('{"params":{"stop_sequences":["a|b"]}}')?.words ?? '', /Strings at which/);
  });

  it('explains nothing unknown', () => {
    for (const marked of [
      '{"params":{"unkn|own":5}}',
      '|{"params":{}}',
      '{"params"|:{}}',
      '{"params":{"tools":[{"type":"new_2030","siz|e":1}]}}',
      'x|x',
      '|',
    ]) {
      assert.equal(at(marked), undefined, marked);
    }
  });
});
