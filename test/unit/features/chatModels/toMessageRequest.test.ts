import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LanguageModelChatTool } from 'vscode';
import { messageParamsSchema } from '../../../../src/contract/messageParams';
import {
  type ChatPart,
  type ChatRequest,
  type ChatTurn,
  toMessageRequest,
  type WireMessage,
} from '../../../../src/features/chatModels/toMessageRequest';
import { anyCharacter } from '../../../helpers/anyCharacter';

const plain: ChatRequest = {
  ...{ model: 'vendor-opus-4-5', turns: [], tools: [], mustCall: false, options: {}, maxOutputTokens: 64 },
  naming: { modelPrefix: 'vendor-' },
};

function paramsOf(change: Partial<ChatRequest>): Record<string, unknown> & { readonly messages: readonly WireMessage[] } {
  return toMessageRequest({ ...plain, ...change }).params as ReturnType<typeof paramsOf>;
}

const text = fc.oneof(fc.constantFrom('', ' \n', '\ud800'), fc.string({ unit: anyCharacter, maxLength: 20 }));
const leaf: fc.Arbitrary<ChatPart> = fc.oneof(
  text.map((said): ChatPart => ({ kind: 'text', text: said })),
  fc
    .tuple(
      fc.constantFrom('image/png', 'IMAGE/JPEG', 'image/tiff', 'application/pdf', 'application/json', 'cache_control', 'text/x'),
      fc.uint8Array(),
    )
    .map(([mimeType, data]): ChatPart => ({ kind: 'data', mimeType, data })),
);
// Few ids, so that calls and results match or repeat.
const id = fc.constantFrom('a', 'b', 'ä b', 'b_2', '');
const part: fc.Arbitrary<ChatPart> = fc.oneof(
  leaf,
  fc
    .tuple(id, text, fc.oneof(fc.jsonValue(), fc.constant({ a: ['\ud800'] })))
    .map(([of, name, input]): ChatPart => ({ kind: 'call', id: of, name, input })),
  fc
    .tuple(id, fc.array(leaf, { maxLength: 3 }), fc.boolean())
    .map(([of, content, isError]): ChatPart => ({ kind: 'result', id: of, content, isError })),
);
const turns: fc.Arbitrary<ChatTurn[]> = fc.array(
  fc.record({ role: fc.constantFrom('user', 'assistant', 'system'), parts: fc.array(part, { maxLength: 5 }) }),
  { maxLength: 8 },
);
const tools: fc.Arbitrary<LanguageModelChatTool[]> = fc.array(
  fc.record({
    name: text,
    description: text,
    inputSchema: fc.option(fc.dictionary(fc.constantFrom('type', 'properties', 'required', 'x'), fc.jsonValue()), { nil: undefined }),
  }),
  { maxLength: 4 },
);
const options = fc.dictionary(
  fc.constantFrom('max_tokens', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'else'),
  fc.oneof(fc.jsonValue(), fc.double(), fc.array(text)),
);

describe('features/chatModels/toMessageRequest', () => {
  it('creates a valid request from any chat, with alternating roles and no half characters', () => {
    fc.assert(
      fc.property(
        turns,
        tools,
        options,
        fc.boolean(),
        fc.constantFrom('vendor-opus-4-5', 'vendor-opus-5', 'other'),
        (history, offered, more, mustCall, model) => {
          const { messages, ...rest } = paramsOf({ turns: history, tools: offered, options: more, mustCall, model });
          const sent = JSON.parse(JSON.stringify({ ...rest, messages })) as unknown;
          const { error } = messageParamsSchema.safeParse(sent);
          assert.equal(error, undefined, `${error?.message} ${JSON.stringify(sent)}`);
          assert.doesNotMatch(JSON.stringify(sent), /(?<!\\)\\ud[89a-f]/);
          messages.forEach(({ role, content }, at) => {
            assert.equal(role, at % 2 === 0 ? 'user' : 'assistant');
            assert.ok(content.length > 0);
          });
        },
      ),
    );
  });

  it('gives every call a unique ID, and its result at the start of the next message, and adds no other result', () => {
    fc.assert(
      fc.property(turns, history => {
        const { messages } = paramsOf({ turns: history });
        const uses = (at: number) => (messages[at]?.content ?? []).filter(({ type }) => type === 'tool_use').map(use => use.id);
        const all = messages.flatMap((_, at) => uses(at));
        assert.equal(new Set(all).size, all.length);
        messages.forEach(({ content }, at) => {
          const results = content.filter(({ type }) => type === 'tool_result');
          assert.deepEqual(results.map(result => result.tool_use_id).sort(), uses(at - 1).sort());
          assert.deepEqual(content.slice(0, results.length), results);
          assert.ok(uses(at).length === 0 || at < messages.length - 1);
        });
      }),
    );
  });

  it('keeps the order of messages, and separates system messages', () => {
    const said = (words: string): ChatPart => ({ kind: 'text', text: words });
    const params = paramsOf({
      turns: [
        { role: 'system', parts: [said('Be short.')] },
        { role: 'user', parts: [said('Which'), said(' ')] },
        { role: 'user', parts: [said('time?')] },
        { role: 'assistant', parts: [said('I look.'), { kind: 'call', id: 'c.1', name: 'clock', input: { zone: 'UTC' } }] },
        { role: 'user', parts: [said('Thanks.'), { kind: 'result', id: 'c.1', content: [said('12:00')], isError: false }] },
        { role: 'system', parts: [said('Be kind.')] },
      ],
    });
    assert.equal(params.system, 'Be short.\n\nBe kind.');
    assert.deepEqual(params.messages, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Which' },
          { type: 'text', text: 'time?' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'c_1', name: 'clock', input: { zone: 'UTC' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c_1', content: [{ type: 'text', text: '12:00' }] },
          { type: 'text', text: 'Thanks.' },
        ],
      },
    ]);
  });

  it('leaves out empty images and files, which a service would reject in every later request', () => {
    const nothing = new Uint8Array(0);
    const parts: readonly ChatPart[] = ['image/png', 'application/pdf', 'text/plain', 'audio/wav'].map(mimeType => ({
      ...{ kind: 'data', mimeType, data: nothing },
    }));
    const { messages } = paramsOf({ turns: [{ role: 'user', parts: [...parts, { kind: 'text', text: 'Select a kind' }] }] });
    assert.deepEqual(messages, [{ role: 'user', content: [{ type: 'text', text: 'Select a kind' }] }]);
  });

  it('marks a call without a result, and a result without a call', () => {
    const { messages } = paramsOf({
      turns: [
        { role: 'assistant', parts: [{ kind: 'call', id: 'a', name: 'clock', input: null }] },
        { role: 'user', parts: [{ kind: 'result', id: 'b', content: [{ kind: 'text', text: '12:00' }], isError: true }] },
      ],
    });
    assert.deepEqual(messages[1]?.content, [{ type: 'tool_use', id: 'a', name: 'clock', input: { value: null } }]);
    assert.deepEqual(messages[2]?.content, [
      { type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'The tool gave no result.' },
      { type: 'text', text: '[The result of a tool whose call is not here:]' },
      { type: 'text', text: '12:00' },
    ]);
  });

  it('sends images and documents unchanged, JSON as text and no internal parts, and names omitted parts', () => {
    const data = (mimeType: string, words: string): ChatPart => ({ kind: 'data', mimeType, data: Buffer.from(words) });
    const { messages } = paramsOf({
      turns: [
        {
          role: 'user',
          parts: [
            data('image/png', 'p'),
            data('application/pdf', 'd'),
            data('application/json', '{}'),
            data('cache_control', 'x'),
            data('audio/wav', 'w'),
          ],
        },
      ],
    });
    assert.deepEqual(messages[0]?.content, [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'cA==' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'ZA==' } },
      { type: 'text', text: '{}' },
      { type: 'text', text: '[A part of the type audio/wav was left out.]' },
    ]);
  });

  it('returns no message for an empty chat, and uses the system message if it is the only one', () => {
    assert.deepEqual(paramsOf({ turns: [{ role: 'user', parts: [{ kind: 'text', text: ' ' }] }] }).messages, []);
    const { system, messages } = paramsOf({ turns: [{ role: 'system', parts: [{ kind: 'text', text: 'Hi' }] }] });
    assert.equal(system, undefined);
    assert.deepEqual(messages, [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]);
  });

  it("offers tools with valid names, and maps them back to the chat's names", () => {
    const { params, nameOf } = toMessageRequest({
      ...plain,
      mustCall: true,
      tools: [
        { name: 'the clock', description: 'Tells the time.', inputSchema: undefined },
        { name: 'the_clock', description: 'Another', inputSchema: undefined },
        { name: 'plain', description: '', inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
      ],
    });
    assert.deepEqual(params.tools, [
      { name: 'the_clock', description: 'Tells the time.', input_schema: { type: 'object', properties: {} } },
      { name: 'plain', input_schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
    ]);
    assert.deepEqual(params.tool_choice, { type: 'any' });
    assert.deepEqual(['the_clock', 'plain', 'made_up'].map(nameOf), ['the clock', 'plain', 'made_up']);
  });

  it('passes options that the model supports, and nothing else', () => {
    const asked = { max_tokens: 5, temperature: 0.5, top_p: 2, top_k: 3, stop_sequences: ['END', ' ', 7], secret: 'x' };
    assert.deepEqual(paramsOf({ options: asked }), {
      ...{ model: 'vendor-opus-4-5', max_tokens: 5, messages: [], stop_sequences: ['END'] },
      ...{ temperature: 0.5, top_k: 3 },
    });
    // The contract rejects sampling parameters for this model.
    const fixed = paramsOf({ model: 'vendor-opus-5', options: { temperature: 0.5, max_tokens: 0 } });
    assert.deepEqual(fixed, { model: 'vendor-opus-5', max_tokens: 64, messages: [] });
  });
});
