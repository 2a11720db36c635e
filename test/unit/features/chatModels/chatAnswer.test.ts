import assert from 'node:assert/strict';
import { toAddedText, toToolCalls } from '../../../../src/features/chatModels/chatAnswer';

const same = (name: string) => name;
const use = (json: string, start: object = {}) => ({ type: 'tool_use', start: { id: 'c', name: 'clock', ...start }, json });

describe('features/chatModels/chatAnswer', () => {
  it('returns the text of events without thinking', () => {
    const events = [
      { type: 'message_start', message: { content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: 'Hm', text: 'no' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'A' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'B' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 7 } },
      { type: 'content_block_delta', index: 1, delta: null },
      { type: 'ping' },
    ];
    assert.equal(events.map(toAddedText).join(''), 'AB');
  });

  it("reads calls from their parts, by the chat's names", () => {
    assert.deepEqual(
      toToolCalls(
        [{ type: 'text', start: {}, json: '' }, use('{"zone":"UTC"}'), use('', { id: '', input: { a: 1 } }), use(' ')],
        'tool_use',
        name => `my ${name}`,
      ),
      [
        { id: 'c', name: 'my clock', input: { zone: 'UTC' } },
        { id: 'call_2', name: 'my clock', input: { a: 1 } },
        { id: 'c', name: 'my clock', input: {} },
      ],
    );
  });

  it('returns no call that was cut or is invalid', () => {
    for (const broken of [use('{"zone":"U'), use('[1]'), use('7'), use('null'), use('{}', { name: undefined })]) {
      assert.equal(toToolCalls([use('{}'), broken], 'tool_use', same), undefined);
    }
  });

  it("returns no call if the answer ended before the call's input", () => {
    const said = { type: 'text', start: {}, json: '' };
    for (const reason of ['max_tokens', 'model_context_window_exceeded']) {
      assert.equal(toToolCalls([use('{}'), use('')], reason, same), undefined);
      assert.equal(toToolCalls([use(''), said], reason, same)?.length, 1);
    }
    assert.equal(toToolCalls([use('')], 'end_turn', same)?.length, 1);
  });
});
