import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { toResultLine } from '../../../../src/jsonl/converting/foreignResults';

const line = (body: unknown, more: object = {}) =>
  JSON.stringify({ id: 'b', custom_id: 'a', response: { status_code: 200, request_id: 'r', body }, error: null, ...more });
const message = (text: string) => JSON.parse(toResultLine(text) ?? assert.fail('no result')).result.message;
const chat = (parts: object, more: object = {}) =>
  line({ id: 'c', model: 'm', choices: [{ message: { role: 'assistant', ...parts }, ...more }] });

describe('jsonl/converting/foreignResults', () => {
  it('converts answers and failures of chats', () => {
    const results = readFileSync('test/fixtures/answers/03-openai-output.jsonl', 'utf8')
      .trim()
      .split('\n')
      .map(text => JSON.parse(toResultLine(text) ?? 'null'));
    assert.deepEqual(results, [
      {
        custom_id: 'q-1',
        result: {
          type: 'succeeded',
          message: {
            ...{ id: 'c1', type: 'message', role: 'assistant', model: 'gpt-x', content: [{ type: 'text', text: 'Blue' }] },
            ...{ stop_reason: 'end_turn', usage: { input_tokens: 9, output_tokens: 1 } },
          },
        },
      },
      {
        custom_id: 'q-2',
        result: {
          type: 'errored',
          error: { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens is too large' }, request_id: 'r2' },
        },
      },
      {
        custom_id: 'q-3',
        result: {
          type: 'expired',
          error: {
            type: 'error',
            error: { type: 'batch_expired', message: 'This request could not be executed before the completion window expired.' },
          },
        },
      },
    ]);
  });

  it('keeps tool calls, thinking, refusals and numbers with their digits', () => {
    const call = { id: 't', type: 'function', function: { name: 'f', arguments: '{"n": 9007199254740993}' } };
    assert.match(
      toResultLine(chat({ content: null, tool_calls: [call] }, { finish_reason: 'tool_calls' })) ?? '',
      /"name":"f","input":\{"n": 9007199254740993\}.*"tool_use"/,
    );
    assert.deepEqual(message(chat({ content: 'x', reasoning_content: 'hm' }, { finish_reason: 'length' })).content, [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'x' },
    ]);
    assert.equal(message(chat({ content: 'x' }, { finish_reason: 'length' })).stop_reason, 'max_tokens');
    const refused = message(chat({ content: null, refusal: 'No.' }, { finish_reason: 'stop' }));
    assert.deepEqual([refused.content, refused.stop_reason], [[{ type: 'text', text: 'No.' }], 'refusal']);
    const bad = { ...call, function: { name: 'f', arguments: '{' } };
    assert.equal(message(chat({ tool_calls: [bad] })).content[0].input, '{');
    const usage = { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 60 } };
    assert.deepEqual(message(line({ choices: [], usage })).usage, { input_tokens: 40, output_tokens: 5, cache_read_input_tokens: 60 });
  });

  it('reads responses, models of this service elsewhere, and shows unknown content', () => {
    const output = [
      { type: 'reasoning', summary: [] },
      { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] },
      { type: 'function_call', call_id: 't', name: 'f', arguments: '{}' },
    ];
    const response = message(
      line({ object: 'response', status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output }),
    );
    assert.deepEqual(response.content, [
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 't', name: 'f', input: {} },
    ]);
    assert.equal(response.stop_reason, 'max_tokens');
    const own = { role: 'assistant', content: [{ type: 'text', text: 'Own' }], stop_reason: 'end_turn' };
    assert.deepEqual(message(JSON.stringify({ recordId: 'a', modelInput: {}, modelOutput: own })), own);
    assert.equal(message(line({ data: [1] })).content[0].text, '{"data":[1]}');
  });

  it('recognizes failures of any shape', () => {
    const failure = (text: string) => JSON.parse(toResultLine(text) ?? assert.fail('no result')).result.error.error;
    assert.deepEqual(failure(JSON.stringify({ custom_id: 'a', response: { status_code: 500, body: 'Gateway' } })), {
      type: 'error',
      message: 'Gateway',
    });
    assert.deepEqual(failure(JSON.stringify({ custom_id: 'a', response: null, error: { code: 'x', message: 'No' } })), {
      type: 'x',
      message: 'No',
    });
    assert.deepEqual(failure(JSON.stringify({ recordId: 'a', modelInput: {}, error: { errorCode: 400, errorMessage: 'Bad' } })), {
      type: 'error',
      message: 'Bad',
    });
  });

  it('keeps other lines', () => {
    for (const text of ['', 'no json', '[]', '{"custom_id":"a"}', '{"response":{"body":{}}}', '{"custom_id":"a","result":{}}']) {
      assert.equal(toResultLine(text), undefined, text);
    }
  });
});
