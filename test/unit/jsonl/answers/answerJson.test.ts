import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { prettyAnswer, readAnswerJson } from '../../../../src/jsonl/answers/answerJson';
import { writeJson } from '../../../../src/shared/exactJson';

const read = (text: string) => {
  const found = readAnswerJson(text);
  return found && `${found.isWhole ? 'whole' : 'fenced'} ${writeJson(found.value)}`;
};

describe('jsonl/answers/answerJson', () => {
  it('reads all answers of a judge', () => {
    const lines = readFileSync('test/fixtures/answers/08-judge.results.jsonl', 'utf8').trim().split('\n');
    const texts = lines.map(line => JSON.parse(line).result.message.content[0].text as string);
    assert.equal(texts.length, 7);
    for (const text of texts) {
      assert.match(read(text) ?? '', /^(?:whole|fenced) \{"score":4,"reason":"The part \{x: 1\} fits"\}$/, text);
    }
  });

  it('accepts a whole text, or the only fenced block', () => {
    assert.equal(read(' {"a":9007199254740993}\n'), 'whole {"a":9007199254740993}');
    assert.equal(read('3.0'), 'whole 3.0');
    assert.equal(read('"yes"'), 'whole "yes"');
    assert.equal(read('{"code":"```json\\n[1]\\n```"}'), 'whole {"code":"```json\\n[1]\\n```"}');
    for (const text of [
      '```json\n[1]\n```',
      '```json\n[1]```',
      '```json [1] ```',
      '```json[1]\n```',
      '~~~\n[1]\n~~~',
      '````JSON5\r\n[1]\r\n````\r\nDone.',
      '1. Here:\n   ```\n   [1]\n   ```',
      'So far:\n```json\n[1]\n',
      'Use `x` and ``y``:\n```json\n[1]\n```',
    ]) {
      assert.equal(read(text), 'fenced [1]', JSON.stringify(text));
    }
  });

  it('finds none in prose, other languages and several blocks', () => {
    for (const text of [
      '',
      'yes',
      '{x: 1}',
      'The score is {"a":1}',
      '```python\n[1]\n```',
      '```json\n[1]\n```\n```json\n[2]\n```',
      '```json\n[1]\n```\n```python\nx\n```',
      '```json\n[1\n```',
      '```json\n```',
      '```',
    ]) {
      assert.equal(read(text), undefined, JSON.stringify(text));
    }
  });

  it('reads hostile texts in linear time', () => {
    for (const text of [
      `\`\`\`${' \t'.repeat(500_000)}x`,
      `\`\`\`json${' \t'.repeat(500_000)}x`,
      '```\n'.repeat(200_000),
      '`'.repeat(1_000_000),
      `\`\`\`\n${'\n '.repeat(500_000)}`,
    ]) {
      assert.equal(read(text), undefined);
    }
  });

  it('pretty-prints whole objects and arrays only', () => {
    assert.equal(prettyAnswer(' {"a":9007199254740993}\n'), '{\n  "a": 9007199254740993\n}');
    for (const text of ['9007199254740993', 'null', 'true', '"yes"', '```json\n[1]\n```', '[1']) {
      assert.equal(prettyAnswer(text), undefined, text);
    }
  });
});
