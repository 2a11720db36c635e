import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { formatText } from '../../../../src/contract/problem';
import { QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { foundIn, problemsIn } from './foundIn';

const options = contractRules('2026-01-01');
const quick = new QuickLineCheck(options);

/** Returns severity, rule and path of each problem in a fixture, by `custom_id`. Asserts that scan and rules agree. */
function foundInFile(name: string, ...rules: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const lines = readFileSync(path.join('test/fixtures/requests', name), 'utf8')
    .split('\n')
    .filter(line => line !== '');
  return Object.fromEntries(
    lines.map((line, index) => {
      const { customId = '', problems } = checkRequestLine(line, index, options);
      assert.deepEqual(quick.check(line, index).problems, problems, line);
      for (const { text } of problems) {
        assert.match(formatText(text), /^[^{}]+[.?!]$/);
      }
      const found = problems.filter(({ rule }) => rules.includes(rule));
      return [customId, found.map(({ severity, rule, path: at }) => `${severity} ${rule} ${at.slice(1).join('.')}`)];
    }),
  );
}

const use = (id: string) => ({ type: 'tool_use', id, name: 'look_up', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
const user = (...content: readonly object[]) => ({ role: 'user', content });
const assistant = (...content: readonly object[]) => ({ role: 'assistant', content });
const text = { type: 'text', text: 'x' };

describe('jsonl/rules: errors that services report hours later', () => {
  it('finds tool calls and results without each other', () => {
    const at = (...places: readonly string[]) => places.map(place => `warning tool-pairs messages.${place}`);
    assert.deepEqual(foundInFile('05-tool-pairs.requests.jsonl', 'tool-pairs'), {
      paired: [],
      'no-result': at('1.content.0.id'),
      'result-of-nothing': at('2.content.0.tool_use_id'),
      'one-of-two': at('1.content.1.id'),
      'same-id-twice': at('1.content.1.id', '2.content.1.tool_use_id'),
      'text-before-result': [],
    });
  });

  it('merges turns of one role before it pairs calls and results', () => {
    const pairs = (...messages: readonly object[]) => foundIn('tool-pairs', { messages: [user(text), ...messages] });
    assert.deepEqual(pairs(assistant(use('a')), assistant(use('b')), user(result('b')), user(text, result('a'))), []);
    assert.deepEqual(pairs(assistant(use('a')), { role: 'system', content: 'x' }, user(result('a'))), []);
    assert.deepEqual(pairs(assistant(text, use('a'))), [], 'The last turn may still be continued.');
    assert.deepEqual(pairs(assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))), [
      'warning messages.3.content.0.id "a"',
    ]);
    assert.deepEqual(pairs(user(result('toString'))), ['warning messages.1.content.0.tool_use_id "toString"']);
  });

  it("finds images whose bytes don't match their type", () => {
    const at = (place: string) => [`warning picture-type messages.0.content.0.source.${place}`];
    assert.deepEqual(foundInFile('04-pictures.requests.jsonl', 'picture-type'), {
      good: [],
      'png-said-jpeg': at('media_type'),
      'jpeg-said-png': at('media_type'),
      'with-data-prefix': at('data'),
      'image-jpg': [],
      svg: [],
    });
    const document = (data: string) => ({
      messages: [user({ type: 'document', source: { data, type: 'base64', media_type: 'application/pdf' } }, text)],
    });
    assert.deepEqual(foundIn('picture-type', document('JVBERi0xLjcK')), []);
    assert.deepEqual(foundIn('picture-type', document('R0lGODlhAQABAAAAACw=')).length, 1);
    const inResult = { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'UklGRh4AAABXRUJQ' } };
    const [problem] = problemsIn('picture-type', { messages: [user({ ...result('a'), content: [inResult] })] });
    assert.deepEqual(problem?.hint, { suggestion: 'image/webp' });
  });

  it('finds more cache markers than services accept, and long ones after short ones', () => {
    const rule = 'cache-markers';
    const marked = (ttl?: string) => ({ ...text, cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } });
    const tool = { name: 'a', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } };
    const four = { tools: [tool], system: [marked()], messages: [user(marked(), { ...result('a'), content: [marked()] })] };
    assert.deepEqual(foundIn(rule, four), []);
    assert.deepEqual(foundIn(rule, { ...four, cache_control: { type: 'ephemeral' } }), ['warning cache_control {"type":"ephemeral"}']);
    assert.deepEqual(foundIn(rule, { ...four, messages: [...four.messages, user(marked())] }), [
      'warning messages.1.content.0.cache_control {"type":"ephemeral"}',
    ]);
    assert.deepEqual(foundIn(rule, { system: [marked('1h')], messages: [user(marked('5m'))] }), []);
    assert.deepEqual(foundIn(rule, { messages: [user(marked('1h'))], system: [marked()] }), [
      'warning messages.0.content.0.cache_control.ttl "1h"',
    ]);
    assert.deepEqual(foundIn(rule, { ...four, system: [{ ...text, cache_control: null }], cache_control: { type: 'ephemeral' } }), []);
  });

  it('finds rejected starts of answers, and thinking beside a forced tool', () => {
    assert.deepEqual(foundInFile('18-prefill.requests.jsonl', 'prefill', 'forced-tool-thinking'), {
      'p-ends-assistant': ['warning prefill messages.1.role'],
      'p-space': ['warning prefill messages.1.content'],
      'p-thinking': ['warning prefill messages.1.role'],
      'p-format': ['warning prefill messages.1.role'],
      'p-forced-tool-thinking': ['warning forced-tool-thinking tool_choice'],
    });
    const messages = [{ role: 'user', content: 'x' }, assistant({ ...text, text: 'x \n' })];
    assert.deepEqual(foundIn('prefill', { model: 'vendor-haiku-4-5', messages }), ['warning messages.1.content.0.text "x \\n"']);
    assert.deepEqual(foundIn('prefill', { model: 'acme-large', messages: [...messages, user(text)] }), []);
    assert.deepEqual(foundIn('prefill', { model: 'acme-opus-5', messages }, { modelPrefix: 'acme-' }), [
      'warning messages.1.role "assistant"',
    ]);
    assert.deepEqual(
      foundIn('prefill', { model: 'vendor-opus-4-8', messages, fallback_credit_token: 't' }),
      [],
      'A credit authorizes it, and has a rule of its own for white space.',
    );
  });

  it('mentions signed thinking without its text, unless the request asks for it', () => {
    const messages = [user(text), assistant({ type: 'thinking', thinking: '', signature: 'c2ln' }, text), user(text)];
    const rule = 'emptied-thinking';
    assert.deepEqual(foundIn(rule, { messages }), ['information messages.1.content.0.thinking ""']);
    const thinking = { type: 'adaptive', display: 'omitted' };
    assert.deepEqual(foundIn(rule, { messages, thinking }), []);
    const full = [user(text), assistant({ type: 'thinking', thinking: 'Hm', signature: 'c2ln' }, text), user(text)];
    assert.deepEqual(foundIn(rule, { messages: full }), []);
  });
});
