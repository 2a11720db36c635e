import assert from 'node:assert/strict';
import { outlineOf } from '../../../../src/jsonl/guide/requestOutline';

describe('jsonl/guide/requestOutline', () => {
  it('names the request, its model and the first words of the user', () => {
    const line =
      '{"custom_id":"q-1","params":{"model":"m","system":"Be kind.","messages":[{"role":"user","content":[{"type":"image"},{"type":"text","text":"Why \\n is it?"}]},{"role":"assistant","content":"Be"}],"tools":[{"type":"bash_20250124","name":"bash"},{"name":"own"}]}}';
    const outline = outlineOf(line, true);
    assert.equal(outline?.customId, 'q-1');
    assert.equal(outline?.model, 'm');
    assert.equal(outline?.words, 'Why is it?');
    assert.equal(line.slice(outline?.start, outline?.end), '"q-1"');
    assert.deepEqual(
      outline?.parts.map(({ kind, name, detail }) => [kind, name, detail]),
      [
        ['system', 'system', 'Be kind.'],
        ['message', 'user', 'Why is it?'],
        ['message', 'assistant', 'Be'],
        ['tool', 'bash', 'bash_20250124'],
        ['tool', 'own', ''],
      ],
    );
    assert.deepEqual(outlineOf(line, false)?.parts, []);
  });

  it('knows bare params, and ignores other lines', () => {
    assert.deepEqual(outlineOf('{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}', false), {
      customId: undefined,
      model: 'm',
      words: 'Hi',
      start: 0,
      end: 72,
      parts: [],
    });
    for (const line of ['', '[]', '5', '{"level":"info"}']) {
      assert.equal(outlineOf(line, true), undefined, line);
    }
  });

  it('reads only the start of a long text, and never half an escape', () => {
    for (let length = 470; length < 490; length++) {
      const outline = outlineOf(
        `{"custom_id":"a","params":{"messages":[{"role":"user","content":"${' '.repeat(length)}\\u00e9\\n\\"x${'y'.repeat(1000)}"}]}}`,
        false,
      );
      assert.doesNotMatch(outline?.words ?? '', /\\/, String(length));
    }
    assert.equal(
      outlineOf(`{"custom_id":"a","params":{"messages":[{"role":"user","content":"${'ab '.repeat(100_000)}"}]}}`, false)?.words.length,
      80,
    );
  });
});
