import assert from 'node:assert/strict';
import type { MessageStreamEvent } from '../../../../src/client/events/streamedEvents';
import type { ServiceClient } from '../../../../src/client/serviceClient';
import type { ToolCall } from '../../../../src/features/chatModels/chatAnswer';
import { streamChat } from '../../../../src/features/chatModels/streamChat';
import { StreamedAnswer } from '../../../../src/features/requests/running/streamedAnswer';

/** Returns the parts that a chat receives for these events. */
async function chat(blocks: readonly MessageStreamEvent[], stopReason: string, options: object = {}) {
  const events = [
    { type: 'message_start', message: { content: [], usage: {} } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: stopReason } },
    { type: 'message_stop' },
  ];
  const stream = async () => ({
    requestId: 'req_1',
    async *[Symbol.asyncIterator]() {
      yield* events;
    },
  });
  const calls: ToolCall[] = [];
  let text = '';
  const listener = {
    text: (added: string) => {
      text += added;
    },
    call: (call: ToolCall) => calls.push(call),
  };
  const { kind } = await streamChat(
    { messages: { stream } } as unknown as ServiceClient,
    {
      ...{ model: 'm', turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }], tools: [], mustCall: false },
      ...{ options: { ...options }, maxOutputTokens: 64, naming: { modelPrefix: 'vendor-' } },
    },
    new StreamedAnswer(),
    listener,
    new AbortController().signal,
  );
  return [kind, text, calls.map(({ name }) => name)];
}

const said = (text: string): readonly MessageStreamEvent[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
];
const called = (...pieces: readonly string[]): readonly MessageStreamEvent[] => [
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'c', name: 'clock', input: {} } },
  ...pieces.map(piece => ({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: piece } })),
  { type: 'content_block_stop', index: 1 },
];

describe('features/chatModels/streamChat', () => {
  it('returns a complete answer with its calls', async () => {
    assert.deepEqual(await chat([...said('So: '), ...called('{"zone"', ':"UTC"}')], 'tool_use'), ['whole', 'So: ', ['clock']]);
  });

  it("reports a tool call whose input isn't a JSON object, and doesn't make it", async () => {
    for (const pieces of [['{"zone":'], ['[1]'], ['{zone: UTC}'], ['{"a":1}{"b":2}']]) {
      assert.deepEqual(await chat([...said('So: '), ...called(...pieces)], 'tool_use'), ['unreadable', 'So: ', []], pieces[0]);
    }
    assert.deepEqual(await chat([...said('So: '), ...called('{"zo')], 'max_tokens'), ['cut', 'So: ', []]);
  });

  it("reports an answer that reached the model's or the default limit, but not the chat's own", async () => {
    assert.deepEqual(await chat(said('Started'), 'max_tokens'), ['tooLong', 'Started', []]);
    assert.deepEqual(await chat(said('Started'), 'max_tokens', { max_tokens: 5 }), ['whole', 'Started', []]);
    assert.deepEqual(await chat(said('Started'), 'max_tokens', { max_tokens: -5 }), ['tooLong', 'Started', []]);
    assert.deepEqual(await chat([...said('Started'), ...called('{}')], 'model_context_window_exceeded'), ['overflowed', 'Started', []]);
    assert.deepEqual(await chat(said('Done'), 'a_reason_of_tomorrow'), ['whole', 'Done', []]);
  });
});
