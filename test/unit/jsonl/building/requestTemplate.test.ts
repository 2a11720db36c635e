import assert from 'node:assert/strict';
import { compareColumns, findColumnProblems, parseTemplate } from '../../../../src/jsonl/building/requestTemplate';

describe('jsonl/building/requestTemplate', () => {
  it('distinguishes a whole request from bare params', () => {
    assert.equal(parseTemplate('{"custom_id":"a","params":{}}').isWhole, true);
    assert.equal(parseTemplate('{"params":{}}').isWhole, true);
    assert.equal(parseTemplate('\ufeff{"$schema":"x","model":"m"}').isWhole, false);
  });

  it('finds unclosed and empty placeholders, and placeholders in field names', () => {
    const text = '{"model":"{{a","x":"a {{ }} b","{{k}}":1,"m":["{{a {{b}}"],"ok":"{{{{ }} {{b}}"}';
    const { problems, placeholders } = parseTemplate(text);
    assert.deepEqual(
      problems.map(({ start, end }) => text.slice(start, end)),
      ['{{a', '{{ }}', '"{{k}}"', '{{a '],
    );
    assert.deepEqual(
      placeholders.map(({ start, end, inner }) => [text.slice(start, end), inner]),
      [
        ['{{b}}', 'b'],
        ['{{b}}', 'b'],
      ],
    );
  });

  it('reads escaped names', () => {
    assert.deepEqual(
      parseTemplate('{"m":"{{a \\"b\\" \\u00e9}}"}').placeholders.map(({ inner }) => inner),
      ['a "b" é'],
    );
  });

  it('rejects anything but a JSON object', () => {
    for (const text of ['[]', '"x"', '{', '']) {
      const { root, problems } = parseTemplate(text);
      assert.equal(root, undefined);
      assert.equal(problems.length, 1, text);
    }
  });

  it('names missing columns, each with the closest existing one, and unused columns', () => {
    const template = parseTemplate('{"params":{"a":"{{questoin}} {{row}} {{meta.lang}} {{who?}} {{Text|trim}} {{zzzzzz}}"}}');
    const columns = ['question', 'meta', 'who', 'text', 'other'];
    assert.deepEqual(compareColumns(template, columns), {
      missing: [
        { name: 'questoin', closest: 'question' },
        { name: 'Text', closest: 'text' },
        { name: 'zzzzzz', closest: undefined },
      ],
      unused: ['question', 'text', 'other'],
    });
    assert.deepEqual(
      findColumnProblems(template, columns).map(({ text }) => text.args),
      [['questoin'], ['Text'], ['zzzzzz']],
    );
  });
});
