import assert from 'node:assert/strict';
import {
  toAnswerDocument,
  toAnswerSide,
  toAnswerWords,
  toRequestDocument,
  toRequestSide,
} from '../../../../../src/features/results/table/pairPresentation';
import { fieldOf } from '../../../../helpers/fieldOf';
import { english, fillPlaceholders } from '../../requests/fillPlaceholders';

const usage = { input_tokens: 5, output_tokens: 1234, cache_read_input_tokens: 3 };
const succeeded = (content: unknown) => {
  const message = { id: 'msg_1', model: 'm', stop_reason: 'end_turn', content, usage };
  return JSON.stringify({ custom_id: 'a', line: 1, result: { type: 'succeeded', message } });
};

describe('features/results/table/pairPresentation', () => {
  it('shows text as Markdown, JSON as JSON, collapsed thinking, and tools with their input', () => {
    const { parts, facts, isCut } = toAnswerSide(
      succeeded([
        { type: 'thinking', thinking: 'Hm.', signature: 'x' },
        { type: 'text', text: '**Hi**' },
        { type: 'text', text: ' {"a":[1]}' },
        { type: 'text', text: '{not json' },
        { type: 'tool_use', id: 't', name: 'look\u202eup', input: { q: 1 } },
        { type: 'new_kind', x: 1 },
      ]),
      english,
    );
    assert.deepEqual(
      parts.map(({ form, title, isFolded }) => [form, title, isFolded]),
      [
        ['plain', 'Thinking', true],
        ['markdown', undefined, undefined],
        ['code', undefined, undefined],
        ['markdown', undefined, undefined],
        ['code', 'Tool use: look\\u{202e}up', undefined],
        ['code', 'new_kind', undefined],
      ],
    );
    assert.equal(parts[2]?.text, '{\n  "a": [\n    1\n  ]\n}');
    assert.ok(facts.some(({ name, value }) => name === 'Output tokens' && value === '1,234'));
    assert.ok(facts.some(({ name, value }) => name === 'cache_read_input_tokens' && value === '3'));
    assert.equal(isCut, false);
  });

  it('shows an error completely, with its request ID, and expired and canceled in words', () => {
    const whole = { type: 'error', error: { type: 'overloaded_error', message: 'Later' }, request_id: 'req_1' };
    for (const error of [whole, { ...whole.error, request_id: 'req_1' }]) {
      const { parts, facts } = toAnswerSide(JSON.stringify({ custom_id: 'a', result: { type: 'errored', error } }), english);
      assert.equal(parts[0]?.text, 'Later');
      assert.equal(parts[0]?.isProblem, true);
      assert.deepEqual(fieldOf(facts, 'value'), ['errored', 'overloaded_error', 'req_1']);
    }
    assert.match(toAnswerSide('{"custom_id":"a","result":{"type":"expired"}}', english).notice ?? '', /not charged/);
    const other = toAnswerSide('{"custom_id":"a","result":{"type":"constructor","x":1}}', english);
    assert.equal(other.notice, undefined);
    assert.equal(other.parts.length, 1);
  });

  it('shows as JSON what has an unexpected shape', () => {
    const odd = { toString: 1 };
    const { parts } = toAnswerSide(
      succeeded([{ type: odd }, { type: 'thinking', thinking: odd }, { type: 'tool_use', name: odd }]),
      english,
    );
    assert.deepEqual(fieldOf(parts, 'title'), ['{"toString":1}', 'Thinking', 'Tool use: {"toString":1}']);
    assert.equal(toAnswerSide(JSON.stringify({ custom_id: 'a', result: { type: odd } }), english).parts.length, 1);
  });

  it('masks secrets everywhere', () => {
    const line = JSON.stringify({
      custom_id: 'a',
      result: { type: 'errored', error: { message: 'x', fallback_credit_token: 'secret-1' } },
    });
    const params = JSON.stringify({ model: 'm', mcp_servers: [{ authorization_token: 'secret-2' }], messages: [] });
    const shown = JSON.stringify([
      toAnswerSide(line, english),
      toRequestSide(params, undefined, english),
      toAnswerDocument(line, fillPlaceholders),
      toRequestDocument(params),
      toAnswerWords(line),
    ]);
    assert.equal(shown.includes('secret-'), false);
  });

  it('cuts large content, and shows nothing of far too large content', () => {
    const cut = toAnswerSide(succeeded([{ type: 'text', text: `${'😀'.repeat(150_000)}` }]), english);
    assert.equal(cut.isCut, true);
    assert.ok((cut.parts[0]?.text.length ?? 0) <= 200_000);
    assert.equal(/[\ud800-\udbff]$/.test(cut.parts[0]?.text ?? ''), false);
    const far = toRequestSide(JSON.stringify({ system: 'x'.repeat(9_000_000) }), undefined, english);
    assert.deepEqual([far.parts, far.isCut], [[], true]);
    assert.match(far.notice ?? '', /can't be shown here/);
  });

  it("shows a request's last message, with the system prompt and the whole request collapsed", () => {
    const body = {
      model: 'm',
      max_tokens: 1024,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', content: 'First' },
        { role: 'assistant', content: 'Yes?' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Last' },
            { type: 'image', source: { type: 'base64', data: 'A'.repeat(5000) } },
          ],
        },
      ],
    };
    const { parts, facts, notice } = toRequestSide(JSON.stringify(body), 'Changed.', english);
    assert.deepEqual(
      parts.map(({ title, isFolded }) => [title, isFolded]),
      [
        ['System prompt', true],
        ['Last message', undefined],
        ['image', true],
        ['Request as JSON', true],
      ],
    );
    assert.ok((parts[2]?.text.length ?? 0) < 300);
    assert.deepEqual(fieldOf(facts, 'value'), ['m', '1,024', '3']);
    assert.equal(notice, 'Changed.');
  });

  it('accepts anything without throwing', () => {
    for (const params of ['[]', 'null', '{', '{"messages":{},"system":5}', '{"messages":[null,{"role":"user"}]}']) {
      assert.ok(toRequestSide(params, undefined, english));
    }
    for (const result of [
      null,
      {},
      { type: 'succeeded' },
      { type: 'succeeded', message: { content: 'x', usage: null } },
      { type: 'errored' },
    ]) {
      assert.ok(toAnswerSide(JSON.stringify({ custom_id: 'a', result }), english));
    }
  });

  it('keeps every number, duplicate key and escape of a request', () => {
    const params = '{"model":"m","max_tokens":9007199254740993,"top_p":1e400,"a":1,"a":"\\u00e9","messages":[]}';
    assert.equal(toRequestDocument('{"api\\u005fkey":"x"}'), '{\n  "api\\u005fkey": "[hidden]"\n}\n');
    const kept = [/"max_tokens": 9007199254740993,/, /"top_p": 1e400,/, /"a": 1,\n {2}"a": "\\u00e9",/];
    const whole = toRequestSide(params, undefined, english).parts.at(-1)?.text ?? '';
    for (const pattern of kept) {
      assert.match(toRequestDocument(params), pattern);
      assert.match(whole, pattern);
    }
  });

  it('shows answers and requests of any depth', () => {
    const deep = '{"a":['.repeat(5000) + ']}'.repeat(5000);
    const answer = `{"custom_id":"a","result":{"type":"succeeded","message":{"content":[{"type":"tool_use","name":"t","input":${deep}}]}}}`;
    assert.ok(JSON.stringify(toAnswerSide(answer, english)).length < 500_000);
    assert.ok(toAnswerDocument(answer, fillPlaceholders).text.length < 500_000);
    assert.ok(toAnswerWords(answer).length < 500_000);
    const side = toRequestSide(`{"model":"m","max_tokens":1,"messages":[],"metadata":${deep}}`, undefined, english);
    assert.ok(JSON.stringify(side).length < 500_000);
  });

  it('creates documents: text as Markdown, one JSON answer as JSON', () => {
    assert.deepEqual(toAnswerDocument(succeeded([{ type: 'text', text: '# Hi' }]), fillPlaceholders), { text: '# Hi\n', ending: 'md' });
    assert.deepEqual(toAnswerDocument(succeeded([{ type: 'text', text: '{"a":1}' }]), fillPlaceholders), {
      text: '{\n  "a": 1\n}\n',
      ending: 'json',
    });
    assert.equal(
      toAnswerWords(
        succeeded([
          { type: 'thinking', thinking: 'no' },
          { type: 'text', text: 'Yes' },
        ]),
      ),
      'Yes',
    );
  });
});
