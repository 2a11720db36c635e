import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type AnswerOptions, answer, errorOf, markerOf, refusalsOf } from '../../../../src/emulator/messages/answers';
import type { MessageParams } from '../../../../src/emulator/messages/checkParams';

const options: AnswerOptions = { seed: 's', tier: 'batch', length: 0, cutShort: false, refuses: false };

function asked(text: string, rest: Partial<MessageParams> = {}, given: Partial<AnswerOptions> = {}) {
  const params: MessageParams = { model: 'vendor-sonnet-5', max_tokens: 1000, messages: [{ role: 'user', content: text }], ...rest };
  return answer(params, markerOf(params), { ...options, ...given });
}

function textOf(message: ReturnType<typeof asked>): string {
  return message.content.map(block => (block.type === 'text' ? block.text : '')).join('');
}

describe('emulator/messages/answers', () => {
  it('returns the same answer every time, and says where it comes from', () => {
    assert.deepEqual(asked('What is red?'), asked('What is red?'));
    assert.equal(textOf(asked('What is red?')), 'Emulated answer to: What is red?');
    assert.equal(asked('What is red?').stop_reason, 'end_turn');
    assert.equal(asked('What is red?').usage.input_tokens, 1 + 'What is red?'.length / 4);
    const more = { system: 'Be short.', tools: [{ name: 't', input_schema: {} }] };
    assert.ok(asked('What is red?', more).usage.input_tokens > 4 + 'Be short.'.length / 4);
  });

  it('answers only the sample requests as a model would', () => {
    const lines = ['questions', 'bare-params'].flatMap(name => readFileSync(`media/samples/${name}.jsonl`, 'utf8').trim().split('\n'));
    const rows = readFileSync('media/samples/reviews.csv', 'utf8')
      .trim()
      .split(/\n(?=r-)/)
      .slice(1);
    const template = JSON.parse(readFileSync('media/samples/reviews.batch-template.json', 'utf8')) as { readonly params: MessageParams };
    const reviews = rows.map(row => {
      const [, product = '', stars = '', review = ''] = /^[^,]+,([^,]+),(\d),(.*)$/s.exec(row) ?? [];
      const values: Readonly<Record<string, string>> = { product, stars, review: review.replace(/^"|"$/g, '').replaceAll('""', '"') };
      const [message] = template.params.messages;
      return String(message?.content).replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
    });
    const requests = lines
      .map(line => JSON.parse(line) as { readonly params?: MessageParams })
      .map(one => one.params ?? (one as MessageParams));
    const messages = [...requests.map(params => answer(params, undefined, options)), ...reviews.map(text => asked(text))];
    assert.equal(messages.length, 24);
    assert.deepEqual(
      messages.map(textOf).filter(text => text.startsWith('Emulated')),
      [],
    );
    assert.equal(textOf(asked('What is the capital of Chile? Answer with its name only.')), 'Santiago');
    assert.equal(textOf(asked('What is the capital of Chile?')), 'Emulated answer to: What is the capital of Chile?');
    assert.deepEqual(messages.filter(({ stop_reason: reason }) => reason === 'max_tokens').map(textOf), [
      'The Sun warms the sea, and water',
    ]);
  });

  it('quotes the last user message, including text blocks, and only the end of a long one', () => {
    const messages = [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'between' },
      { role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'look' }] },
    ];
    assert.equal(textOf(asked('', { messages })), 'Emulated answer to: look');
    const merged = [...messages, { role: 'user', content: 'again' }, { role: 'assistant', content: 'Emulated' }];
    assert.equal(textOf(asked('', { messages: merged })), ' answer to: look\nagain');
    const long = textOf(asked(`${'word '.repeat(200)}end`));
    assert.match(long, /^Emulated answer to: \.\.\. word .* end$/);
    assert.ok(long.length < 280);
  });

  it('cuts at max_tokens between characters', () => {
    const cut = asked('😀'.repeat(50), { max_tokens: 7 });
    assert.equal(cut.stop_reason, 'max_tokens');
    assert.equal(cut.usage.output_tokens, 7);
    assert.equal(textOf(cut), 'Emulated answer to: 😀😀');
    assert.deepEqual(asked('x', { max_tokens: 0 }).content, []);
    assert.equal(asked('x', { max_tokens: 0 }).usage.cache_creation_input_tokens, 2);
  });

  it('stops at the first stop sequence', () => {
    const stopped = asked('one two three', { stop_sequences: ['three', ' two'] });
    assert.equal(textOf(stopped), 'Emulated answer to: one');
    assert.deepEqual([stopped.stop_reason, stopped.stop_sequence], ['stop_sequence', ' two']);
  });

  it('follows markers', () => {
    assert.equal(refusalsOf({ name: 'refusal', value: '' }), 1);
    assert.equal(asked('x', {}, { refuses: true }).stop_reason, 'refusal');
    assert.equal(asked('x', {}, { refuses: true }).stop_details?.type, 'refusal');
    assert.equal(asked('[emulate: max_tokens]').stop_reason, 'max_tokens');
    assert.equal(textOf(asked('[emulate: long 2500]')).length, 2500);
    assert.equal(textOf(asked('say [emulate: text just this]')), 'just this');
    assert.equal(textOf(asked('x', {}, { length: 700 })).length, 700);
    assert.equal(asked('x', {}, { cutShort: true }).stop_reason, 'max_tokens');
  });

  it('fails as a marker asks', () => {
    const failure = (text: string) => errorOf(markerOf({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: text }] }));
    assert.equal(failure('[emulate: error overloaded_error]')?.status, 529);
    assert.equal(failure('[emulate: error]')?.type, 'api_error');
    assert.equal(failure('[emulate: error brand_new_error]')?.type, 'brand_new_error');
    assert.equal(failure('[emulate: long 5]'), undefined);
    assert.equal(failure('no marker'), undefined);
  });

  it('calls a forced tool, with the smallest input that its schema allows', () => {
    const tools = [
      { name: 'other', input_schema: { type: 'object' } },
      { name: 'add', input_schema: { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] } },
    ];
    const called = asked('x', { tools, tool_choice: { type: 'tool', name: 'add' } });
    assert.equal(called.stop_reason, 'tool_use');
    assert.deepEqual(called.content, [{ type: 'tool_use', id: 'toolu_emulated_s', name: 'add', input: { n: 3 } }]);
    assert.equal(asked('x', { tools, tool_choice: { type: 'any' } }).stop_reason, 'tool_use');
    assert.equal(asked('[emulate: tool]', { tools }).stop_reason, 'tool_use');
    assert.equal(asked('x', { tools }).stop_reason, 'end_turn');
  });

  it('answers in the requested JSON format', () => {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' }, note: { type: 'string' } }, required: ['ok'] };
    assert.deepEqual(JSON.parse(textOf(asked('x', { output_format: { schema } }))), { ok: true });
    assert.deepEqual(JSON.parse(textOf(asked('x', { output_config: { format: { schema } } }))), { ok: true });
  });

  it('thinks before it answers if thinking is on', () => {
    const types = (thinking: MessageParams['thinking']) => asked('x', { thinking }).content.map(block => block.type);
    assert.deepEqual(types({ type: 'adaptive' }), ['thinking', 'text']);
    assert.deepEqual(types({ type: 'disabled' }), ['text']);
    const omitted = asked('x', { thinking: { type: 'enabled', budget_tokens: 1024, display: 'omitted' } }).content[0];
    assert.equal(omitted?.type === 'thinking' ? omitted.thinking : undefined, '');
  });
});
