import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type QuickLine, QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { contractRules, type RuleOptions } from '../../../../src/jsonl/rules/ruleOptions';
import { runs } from '../../../helpers/runs';
import { wrongLine } from '../mutations';
import { requestLine } from '../requestLines';

const options: RuleOptions = { ...contractRules('2026-07-01'), models: ['m', 'vendor-opus-4-8'], betas: [] };
const check = new QuickLineCheck(options);

function agrees(line: string): void {
  const truth = checkRequestLine(line, 3, options);
  assert.deepEqual(check.check(line, 3), truth, line);
  // The check learns from the full check of a wrong line, so the quick check comes second.
  const { kind, customId, model, noted } = check.checkQuickly(line, 3);
  assert.deepEqual([kind, customId, model], [truth.kind, truth.customId, truth.model], line);
  const counted = (found: readonly { readonly rule: string; readonly severity: string }[]) =>
    found.map(({ rule, severity }) => `${rule} ${severity}`).sort();
  assert.deepEqual(counted(noted), counted(truth.problems), line);
}

describe('jsonl/checking/quickLineCheck', () => {
  it('agrees with the rules on valid and cut lines', () => {
    fc.assert(
      fc.property(requestLine, fc.nat(), (line, at) => {
        agrees(line);
        agrees(line.slice(0, at % line.length));
        agrees(line.slice(at % line.length));
      }),
      { numRuns: runs(500) },
    );
  });

  it('agrees with the rules on lines with many errors, also after it has learned similar ones', () => {
    fc.assert(fc.property(wrongLine, agrees), { numRuns: runs(4000) });
    // The severity of a field unknown to its tool depends on the tool, and on the field's name and value.
    for (const [type, name] of [
      ['bash_20250124', 'bash'],
      ['text_editor_20241022', 'str_replace_editor'],
      ['text_editor_20250124', 'str_replace_editor'],
    ]) {
      for (const more of [{ input_schema: {} }, { input_schema: true }, { input_schema: false }, { description: 'x' }, { other: 'x' }]) {
        agrees(JSON.stringify({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }], tools: [{ type, name, ...more }] }));
      }
    }
  });

  it('agrees with the rules on escaped names, names that become duplicates, and cut lines', () => {
    const withEscapes = (line: string, at: number, every: number) =>
      line.replace(/"([\w-]+)"(?=\s*:)/g, (whole, name: string, place: number) => {
        const unit = name
          .charCodeAt(at % name.length)
          .toString(16)
          .padStart(4, '0');
        const spot = at % name.length;
        return (place + at) % every === 0 ? `"${name.slice(0, spot)}\\u${unit}${name.slice(spot + 1)}"` : whole;
      });
    fc.assert(
      fc.property(requestLine, fc.nat(20), fc.integer({ min: 1, max: 5 }), fc.nat(), (line, at, every, cut) => {
        const escaped = withEscapes(line, at, every);
        agrees(escaped);
        agrees(escaped.slice(0, cut % escaped.length));
        agrees(escaped.slice(cut % escaped.length));
      }),
      { numRuns: runs(500) },
    );
    const right = '{"custom_id":"a","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"\\"x\\u0079\\": 1"}]}}';
    for (const line of [
      right.replace('"max_tokens"', '"max_\\u0074okens"'),
      right.replace('"max_tokens":1', '"max_\\u0074okens":1,"max_tokens":1'),
      right.replace('"model"', '"\\u005f_proto__":{},"model"'),
      right.replace('"model":"m"', '"model\\u0022":"m"'),
      right.replace('"model":"m"', '"\\u006dodel" \t:"m"'),
      right.replace('"max_tokens":1', '"max_tokens":tr\\u0075e'),
      right.replace('1,', '"\\u006dax":'),
      right.replace('"a"', '"\\u0061":'),
    ]) {
      agrees(line);
    }
  });

  it('agrees with the rules on half surrogate pairs, blank lines, line feeds and long lines', () => {
    const params = (system: string) => `{"model":"m","max_tokens":1,"messages":[],"system":"${system}"}`;
    for (const line of [
      params('\ud83d'),
      params('\ud83d\ude00'),
      '',
      ' \t',
      `${params('a')}\n${params('b')}`,
      '\n',
      params('é'.repeat(100_000)),
    ]) {
      agrees(line);
    }
  });

  it('agrees with the rules on unknown fields and types', () => {
    const line = (params: object, more: object = {}) => JSON.stringify({ custom_id: 'a', params: { ...bare, ...params }, ...more });
    const bare = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'x' }] };
    const saying = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
    const valid = [
      line(saying({ type: 'text', text: 'a', citations: [{ type: 'new' }] })),
      line(saying({ type: 'image', source: { type: 'cloud' } })),
    ];
    const learned = [
      line({ note: 1 }),
      line({ note: null }),
      line({ max_token: [1, { a: 2 }] }),
      line({ '': {} }),
      line({}, { extra: 1 }),
      JSON.stringify({ ...bare, note: 1 }),
      JSON.stringify({ id: 5, custom_id: 'a', params: bare }),
      line(saying({ type: 'hologram', text: 1 })),
      line(saying({ type: '' })),
      line({ ...saying({ type: 'hologram' }), note: 2 }),
      line({ tools: [{ type: 'search_2099', name: 'a' }], tool_choice: { type: 'tool', name: 'a' } }),
      line({ note: 1, other: 2 }),
      line({ note: 1 }, { extra: 1 }),
      line({ thread: {} }),
      line({ max_tokens: -1 }),
      line({ max_tokens: undefined }),
      line({ temperature: 1.5 }),
      line({ model: 5 }),
      line({ metadata: { userid: 'x' } }),
      line(saying({ type: 'hologram' }, { type: 'other' })),
      line(saying({ text: 'x' })),
      line({ messages: [{ role: 'system', content: [] }] }),
      line({ messages: [{ role: 'user', content: '', name: 'x' }] }),
      line({ tools: [{ type: 'search_2099' }] }),
      line({ tools: [{ type: 'search_2099', name: 5 }] }),
      line({ tools: ['a', 'a'].map(name => ({ type: 'search_2099', name })) }),
      line({ system: [{ type: 'hologram' }] }),
      JSON.stringify({ custom_id: 'a b', params: bare }),
      JSON.stringify({ custom_id: 'ä', params: 5 }),
      JSON.stringify({ custom_id: 'a', method: 'POST', url: '/v1', body: bare }),
      JSON.stringify({ messages: bare.messages }),
      JSON.stringify({ ...bare, params: {} }),
      JSON.stringify({ ...bare, custom_id: 'b' }),
      '{"prompt":"x"}',
      '{}',
      line({ metadata: { user_id: 'ann@example.org' } }),
      line({ metadata: { user_id: 'é@example.org' } }),
      line({ fallbacks: [{ model: 'm', max_tokens: -1 }] }),
      line({ tools: [{ type: 'mcp_toolset', mcp_server_name: 'n' }], mcp_servers: [] }),
      line({ tools: [{ name: 'a', input_schema: { type: 'object' } }], tool_choice: { type: 'tool', name: 'b' } }),
    ];
    const left = [
      line({ custom_id: 'b' }),
      line({ params: {} }),
      line({ fallback_credit_token: 't' }),
      line({ tool_choice: { type: 'any' } }),
      `{"__proto__":{},${JSON.stringify(bare).slice(1)}`,
      line(saying({ type: 'hologram', size: 0 })).replace('0}', '12345678901234567890}'),
      line(saying({ type: 'hologram' })).replace('"hologram"', '"hologram","type":"text"'),
    ];
    for (const text of [...valid, ...learned, ...left, line({}).replace('"custom_id"', '"\\u0063ustom_id"')]) {
      agrees(text);
    }
    // The quick check reports problems without positions only if it learned them from a similar line.
    const byRules = (text: string) => new QuickLineCheck(options).checkQuickly(text, 0);
    const isKnown = ({ noted, problems }: QuickLine) => problems === undefined || noted.length === 0;
    const known = (texts: readonly string[], look: (text: string) => QuickLine) => texts.filter(text => isKnown(look(text)));
    const again = (text: string) => check.checkQuickly(text, 0);
    assert.deepEqual([known(learned, byRules), known(learned, again)], [[], learned]);
    assert.deepEqual([known(left, byRules), known(left, again)], [[], []]);
    // The service of these options has more fields than the contract.
    const knowing: RuleOptions = { ...options, newerParams: ['note', 'thread'] };
    for (const text of [line({ note: 1 }), line({ thread: 1 }), line({ other: 1 })]) {
      assert.deepEqual(new QuickLineCheck(knowing).check(text, 0), checkRequestLine(text, 0, knowing), text);
      assert.equal(
        new QuickLineCheck(knowing).checkQuickly(text, 0).noted.length,
        checkRequestLine(text, 0, knowing).problems.length,
        text,
      );
    }
  });

  it('agrees with the rules on IDs that look like addresses, phone numbers and dates', () => {
    const piece = fc.constantFrom('@', '.', '+', '-', '/', '(', ')', ' ', '0', '12', '2024-05-06', '555', 'a', 'x.y', 'é', '\u00a0', '\t');
    const id = fc.oneof(fc.array(piece, { maxLength: 8 }), fc.array(fc.constantFrom('@', '.', 'a', ' '), { maxLength: 7 }));
    fc.assert(
      fc.property(id, pieces => {
        const metadata = { user_id: pieces.join('') };
        agrees(JSON.stringify({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }], metadata }));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('agrees with the rules on numbers of every size', () => {
    const exponents = ['0', '00', '9', '99', '+99', '-99', '308', '309', '400', '999', '+308', '+309', '-320', '-400', '0308', '9999'];
    const wholes = ['0', '1', '-1', '0.1', '-0.25', '123456789012', '9007199254740993', '-9007199254740993'];
    for (const number of wholes.flatMap(whole => [
      whole,
      ...exponents.flatMap(exponent => [`${whole}e${exponent}`, `${whole}E${exponent}`]),
    ])) {
      agrees(
        `{"custom_id":"a","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}],"tools":[{"name":"t","input_schema":{"type":"object","maximum":${number}}}]}}`,
      );
    }
  });
});
