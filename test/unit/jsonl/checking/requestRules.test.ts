import assert from 'node:assert/strict';
import { formatText } from '../../../../src/contract/problem';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { foundIn } from '../rules/foundIn';

const params = '"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]';
const rules = contractRules('2026-01-01');
const bare = `{${params}}`;

/** Returns rule, underlined text and path of each problem. */
function problems(text: string) {
  return checkRequestLine(text, 7, rules).problems.map(problem => {
    assert.equal(problem.line, 7);
    return [problem.rule, text.slice(problem.start, problem.end), problem.path.join('.')];
  });
}

describe('jsonl/checking/requestRules', () => {
  it('distinguishes a whole request, bare params, a blank line and anything else', () => {
    const kinds = (text: string) => {
      const { kind, customId, model } = checkRequestLine(text, 0, rules);
      return [kind, customId, model];
    };
    assert.deepEqual(kinds(`{"custom_id":"a","params":${bare}}`), ['request', 'a', 'm']);
    assert.deepEqual(kinds(` ${bare}\r`), ['params', undefined, 'm']);
    assert.deepEqual(kinds(' \t\r'), ['blank', undefined, undefined]);
    assert.deepEqual(kinds('{"a":1}'), ['invalid', undefined, undefined]);
    assert.deepEqual(kinds('[]'), ['invalid', undefined, undefined]);
    assert.deepEqual(kinds(`{"custom_id":"a","params":${bare}`), ['invalid', undefined, undefined]);
    assert.deepEqual(kinds('{"custom_id":7}'), ['request', undefined, undefined]);
  });

  it('finds no problems in a valid line', () => {
    assert.deepEqual(problems(bare), []);
    assert.deepEqual(problems(`{"custom_id":"__proto__","params":${bare}}`), []);
  });

  const cases: Record<string, [text: string, expected: readonly string[][]]> = {
    'an unknown field at its key': [`{${params},"max_token":5}`, [['unknown-field', '"max_token"', 'max_token']]],
    'an unknown field called __proto__': [`{${params},"__proto__":5}`, [['unknown-field', '"__proto__"', '__proto__']]],
    'a missing field at the opening of the line': [
      `{"model":"m","messages":[{"role":"user","content":"x"}]}`,
      [['missing-field', '{', 'max_tokens']],
    ],
    'a missing field at the key of its object': [
      '{"custom_id":"é","params":{}}',
      [
        ['text-pattern', '"é"', 'custom_id'],
        ['missing-field', '"params"', 'params.model'],
        ['missing-field', '"params"', 'params.messages'],
        ['missing-field', '"params"', 'params.max_tokens'],
      ],
    ],
    'a wrong value at the value': [
      `{${params},"max_tokens":-1.50}`.replace('"max_tokens":1,', ''),
      [['wrong-type', '-1.50', 'max_tokens']],
    ],
    'a wrong type at the value, behind astral characters': [
      `{"metadata":{"user_id":"😀"},"speed" : true ,${params}}`,
      [['value-not-allowed', 'true', 'speed']],
    ],
    'a wrong kind where two are allowed': [`{${params},"system":{"a":1}}`, [['wrong-type', '{"a":1}', 'system']]],
    'a fault inside a known block': [
      `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":1}]}]}`,
      [['wrong-type', '1', 'messages.0.content.0.text']],
    ],
    'a block without a type': [
      `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"text":"x"}]}]}`,
      [['missing-field', '{', 'messages.0.content.0.type']],
    ],
    'an unknown thinking type': [`{${params},"thinking":{"type":"deep"}}`, [['value-not-allowed', '"deep"', 'thinking.type']]],
    'a tool of an unknown type as information only': [
      `{${params},"tools":[{"type":"bash_2099","name":"bash"}]}`,
      [['unknown-variant', '"bash_2099"', 'tools.0.type']],
    ],
    'a field of newer services': [`{"custom_id":"a","params":{${params},"thread":{}}}`, [['newer-field', '"thread"', 'params.thread']]],
    'a key that stands twice, at its second place': [`{${params},"model":"n"}`, [['duplicate-key', '"model"', 'model']]],
    'the same key twice in free-form data, one of them escaped': [
      `{${params},"metadata":{"a":1,"\\u0061":2}}`,
      [['duplicate-key', '"\\u0061"', 'metadata.a']],
    ],
    'half a surrogate pair': [`{${params},"system":"a\\ud83d b"}`, [['lone-surrogate', '"a\\ud83d b"', 'system']]],
    'a line that is no object': ['[1]', [['not-a-request', '[1]', '']]],
  };
  for (const [what, [text, expected]] of Object.entries(cases)) {
    it(`marks ${what}`, () => assert.deepEqual(problems(text), expected));
  }

  it('accepts paired surrogates, escaped or not', () => {
    assert.deepEqual(problems(`{${params},"system":"\\ud83d\\ude00 😀"}`), []);
  });

  const syntax: Record<string, string> = {
    '{"a":1,}': ',',
    '{"a":1 "b":2}': '"',
    "{'a':1}": "'",
    '{a:1}': 'a',
    '{"a":NaN}': 'NaN',
    '{"a":True}': 'True',
    '{"a":01}': '01',
    '{"a":1.}': '1.',
    '{"a":"b': '"b',
    '{"a":"\\x"}': '\\x',
    '{"a":"\\u12"}': '\\u12"}',
    '{"a":"\t"}': '\t',
    '{"a":[1,2}': '}',
    '{"a":[1,2': '[',
    '{"a"': '',
    '{} {}': '{}',
    '{"a":}': '}',
    '{"a":1}}': '}',
    '{"a":\u201cx\u201d}': '\u201c',
  };
  for (const [text, marked] of Object.entries(syntax)) {
    it(`marks the error position in ${text}`, () => assert.deepEqual(problems(text)[0]?.slice(0, 2), ['json-syntax', marked]));
  }

  it('limits the depth', () => {
    const deep = (levels: number) => `{${params},"metadata":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    assert.deepEqual(problems(deep(510)), []);
    assert.equal(problems(deep(511))[0]?.[0], 'too-deep');
    assert.equal(problems(deep(1_000_000))[0]?.[0], 'too-deep');
  });

  it('never quotes values of the line in its messages', () => {
    const secret = 'sk-canary-0123456789';
    const lines = [
      `{"model":"${secret}`,
      `{${params},"temperature":"${secret}"}`,
      `{${params},"mcp_servers":[{"type":"url","name":"n","url":"u","authorization_token":["${secret}"]}]}`,
      `{${params},"service_tier":"${secret}"}`,
      `{"custom_id":"${secret} ","params":{}}`,
      `{"a": ${secret}}`,
    ];
    for (const line of lines) {
      const found = checkRequestLine(line, 0, rules).problems;
      assert.ok(found.length > 0);
      assert.ok(!found.some(problem => formatText(problem.text).includes(secret)));
    }
  });

  it('says what to do in plain words', () => {
    const sentences = (text: string) => checkRequestLine(text, 0, rules).problems.map(problem => formatText(problem.text));
    assert.deepEqual(
      sentences(
        `{"model":"m","messages":[{"role":"user","content":"x"}],"max_tokens":-1,"system":5,"speed":"x","thinking":{"type":"enabled","budget_tokens":5}}`,
      ),
      [
        '"max_tokens" must be at least 0.',
        'Expected a string or an array for "system".',
        'Expected one of "standard", "fast" for "speed".',
        '"budget_tokens" must be at least 1024.',
      ],
    );
  });
});

const says = (role: string, content: unknown) => ({ messages: [{ role, content }] });

describe('jsonl/checking/requestRules: messages', () => {
  it('finds requests without a message, system messages and empty ones', () => {
    assert.deepEqual(foundIn('no-messages', { messages: [] }), ['warning messages []']);
    assert.deepEqual(foundIn('no-messages', {}), []);
    assert.deepEqual(foundIn('system-role', says('system', 'x')), ['warning messages.0.role "system"']);
    assert.deepEqual(foundIn('system-role', says('assistant', 'x')), []);
    assert.deepEqual(foundIn('empty-content', says('user', '')), ['error messages.0.content ""']);
    assert.deepEqual(foundIn('empty-content', says('user', ' ')), []);
    assert.deepEqual(foundIn('empty-content', says('user', [])), ['warning messages.0.content []']);
    assert.deepEqual(foundIn('empty-content', says('user', [{ type: 'text', text: 'x' }])), []);
    assert.deepEqual(foundIn('text-length', says('user', '')), []);
  });

  it('reports fields with another effect in a batch', () => {
    assert.deepEqual(foundIn('zero-max-tokens', { max_tokens: 0 }), ['information max_tokens 0']);
    assert.deepEqual(foundIn('zero-max-tokens', { max_tokens: 1 }), []);
    assert.deepEqual(foundIn('stream-in-batch', { stream: true }), ['warning stream true']);
    assert.deepEqual(foundIn('stream-in-batch', { stream: false }), ['hint stream false']);
    assert.deepEqual(foundIn('stream-in-batch', {}), []);
  });
});
