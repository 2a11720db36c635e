import assert from 'node:assert/strict';
import { StreamedAnswer } from '../../../../../src/features/requests/running/streamedAnswer';

function answerOf(...events: readonly { readonly type: string; readonly [key: string]: unknown }[]): StreamedAnswer {
  const answer = new StreamedAnswer();
  for (const event of events) {
    answer.apply(event);
  }
  return answer;
}

describe('features/requests/running/streamedAnswer', () => {
  it('joins text, thinking and tool input by block', () => {
    const answer = answerOf(
      { type: 'message_start', message: { id: 'msg_1', model: 'm', usage: { input_tokens: 5, output_tokens: 1 }, content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'x' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Par' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'is' } },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', name: 'f', id: 't', input: {} } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a":' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '1}' } },
      { type: 'ping' },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 9, cache_read_input_tokens: null },
      },
      { type: 'message_stop' },
    );
    assert.deepEqual(
      answer.blocks.map(block => [block.type, block.text, block.json]),
      [
        ['thinking', 'Hm', ''],
        ['text', 'Paris', ''],
        ['tool_use', '', '{"a":1}'],
      ],
    );
    assert.deepEqual([answer.model, answer.stopReason, answer.isWhole], ['m', 'tool_use', true]);
    assert.deepEqual(answer.usage, { input_tokens: 5, output_tokens: 9 });
  });

  it('keeps unknown events and deltas', () => {
    const answer = answerOf(
      { type: 'content_block_delta', index: 4, delta: { type: 'text_delta', text: 'lost' } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'sound_delta' } },
      { type: 'weather', degrees: 3 },
    );
    assert.deepEqual(
      answer.unknownEvents.map(event => event.type),
      ['content_block_delta', 'content_block_delta', 'weather'],
    );
    assert.equal(answer.blocks[0]?.text, 'a');
  });

  it('is incomplete after an error event', () => {
    const answer = answerOf({ type: 'error', error: { type: 'overloaded_error', message: 'Busy' } });
    assert.deepEqual(answer.error, { type: 'overloaded_error', message: 'Busy' });
    assert.equal(answer.isWhole, false);
  });

  it('survives events without their required fields', () => {
    const answer = answerOf(
      { type: 'message_start' },
      { type: 'content_block_start' },
      { type: 'message_delta', delta: 3 },
      { type: 'error' },
    );
    assert.equal(answer.blocks[0]?.type, 'unknown');
  });
});
