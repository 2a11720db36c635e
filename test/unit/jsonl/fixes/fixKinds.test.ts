import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { fixKinds } from '../../../../src/jsonl/fixes/fixKinds';
import { fixLine } from '../../../../src/jsonl/fixes/fixLine';
import type { FixContext } from '../../../../src/jsonl/fixes/lineFix';
import type { RuleOptions } from '../../../../src/jsonl/rules/ruleOptions';
import { runs } from '../../../helpers/runs';

const options: RuleOptions = { severities: {}, models: ['m'], betas: [], today: '2026-11-21' };
const check = (text: string, line: number) => checkRequestLine(text, line, options);
const context: FixContext = { line: 0, isTaken: () => false, models: ['m'] };

function safely(text: string): readonly string[] {
  return fixLine(text, context, check, fix => fix.preferred && fixKinds[fix.kind].isSafe).parts.map(part => part.text);
}

const message = '{"role":"user","content":"hi"}';
const withParams = (more: string, messages = message) =>
  `{"custom_id":"a","params":{"model":"m","max_tokens":10,"messages":[${messages}]${more === '' ? '' : `,${more}`}}}`;
const schemaTool = (schema: string) => `"tools":[{"name":"t","input_schema":${schema}}]`;
const imageBlock = '{"type":"image","source":{"type":"base64","media_type":"image/tiff","data":"AA=="}}';

/** Params of other services that this service rejects. */
const foreignFields = [
  '"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]',
  '"functions":[{"name":"f"}]',
  '"mcp_servers":[{"type":"stdio","name":"s","command":"npx","args":["x"]}]',
  '"mcp_servers":[{"name":"s","command":"npx"}]',
  '"mcp_servers":[{"type":"sse","name":"s","url":"https://x.example"}]',
  '"output_config":{"format":{"type":"json_object"}}',
  '"output_config":{"format":{"type":"text"}}',
  '"output_config":{"format":{"name":"x"}}',
  '"output_config":{"effort":"minimal"}',
  '"response_format":{"type":"json_object"}',
  `"system":[${imageBlock}]`,
  '"system":[{"type":"input_text","text":"x"},{"text":"x","source":"y"}]',
  schemaTool('{"type":["object","null"]}'),
  schemaTool('{"type":"string"}'),
  schemaTool('{"anyOf":[{"type":"string"},{"type":"object"}]}'),
  '"seed":42',
  '"top_a":0.3',
  '"top_n":3',
  '"n":1,"logprobs":true,"user":"u","store":false',
  '"cache_control":{"type":"persistent"}',
  '"cache_control":{"type":"ephemeral","ttl":"2h"}',
  '"cache_control":{"type":"ephemeral","ttl":"10m"}',
  '"context_management":{"edits":[{"type":"compact_20260113"}]}',
  '"tool_choice":"required"',
  '"tool_choice":{"type":"function","function":{"name":"f"}}',
  '"tools":[{"name":"find_v1","input_schema":{"type":"object"}},{"name":"find_v2","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"find_v3"}',
  '"thinking":{"budget_tokens":0}',
  '"thinking":{"type":"auto","budget_tokens":2000}',
  '"service_tier":"priority"',
  '"speed":"turbo"',
  '"fallbacks":[{"model":"m","seed":1}]',
] as const;
const foreignMessages = [
  '{"role":"tool","tool_call_id":"c","content":"x"}',
  '{"role":"developer","content":"x"}',
  '{"role":"model","parts":[{"text":"x"}]}',
  '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function"}]}',
  `{"role":"user","content":[${imageBlock}]}`,
  '{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}',
  '{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/svg","data":"AA=="}}]}',
] as const;

/** Lines with fields of other services. No field occurs twice. */
const foreignLine = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...foreignFields), { maxLength: 4, selector: field => field.slice(0, 5) }),
    fc.array(fc.constantFrom(message, ...foreignMessages), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', ',"metadata":{"row":3}', ',"url":"/v1/x"'),
  )
  .map(([fields, messages, beside]) => withParams(fields.join(','), messages.join(',')).replace(/\}$/, `${beside}}`));

/** Returns every value of a JSON text that is not an object or array, as JSON. */
function valuesIn(text: string): readonly string[] {
  const values: string[] = [];
  const walk = (value: unknown) => {
    if (typeof value === 'object' && value !== null) {
      Object.values(value).forEach(walk);
    } else {
      values.push(JSON.stringify(value));
    }
  };
  walk(JSON.parse(text));
  return values;
}

describe('jsonl/fixes/fixKinds', () => {
  for (const field of foreignFields) {
    it(`leaves ${field.slice(0, 60)} for people to decide`, () => {
      const text = withParams(field);
      assert.deepEqual(safely(text), [text]);
    });
  }

  for (const text of foreignMessages) {
    it(`leaves ${text.slice(0, 60)} for people to decide`, () => {
      assert.deepEqual(safely(withParams('', text)), [withParams('', text)]);
    });
  }

  it('never changes a value of another service without being asked', () => {
    fc.assert(
      fc.property(foreignLine, text => {
        const before = valuesIn(text);
        const after = safely(text).flatMap(valuesIn);
        assert.deepEqual([...after].sort(), [...before].sort());
      }),
      { numRuns: runs(500) },
    );
  });

  it('corrects typos of names and listed values', () => {
    for (const [before, after] of [
      ['"outputConfig":{"effort":"High"}', '"output_config":{"effort":"high"}'],
      ['"stop_sequence":["x"]', '"stop_sequences":["x"]'],
      ['"cache_control":{"type":"ephemral"}', '"cache_control":{"type":"ephemeral"}'],
      ['"tools":[{"type":"bash_20250124","name":"shell"}]', '"tools":[{"type":"bash_20250124","name":"bash"}]'],
      [schemaTool('{"type":"Object"}'), schemaTool('{"type":"object"}')],
      [`${schemaTool('{"type":"object"}')},"tool_choice":{"type":"tool","name":"T"}`, undefined],
    ] as const) {
      assert.deepEqual(safely(withParams(before)), [withParams(after ?? before.replace('"T"', '"t"'))]);
    }
  });

  it('accepts id for custom_id, and repairs it', () => {
    const params = `"params":{"model":"m","max_tokens":10,"messages":[${message}]}`;
    assert.deepEqual(safely(`{"id":"a",${params}}`), [`{"custom_id":"a",${params}}`]);
    assert.deepEqual(safely(`{${params}, "id": 12}`), [`{${params}, "custom_id": "12"}`]);
    assert.deepEqual(safely(`{"id":{"x":1},${params}}`), [`{"custom_id":"line-1","id":{"x":1},${params}}`]);
    assert.deepEqual(safely(`{"id":"b","custom_id":"a",${params}}`), [`{"id":"b","custom_id":"a",${params}}`]);
  });

  it('counts unusual white space as such', () => {
    const { parts, applied } = fixLine(`\ufeff${withParams('')}\u00a0`, context, check, fix => fix.preferred && fixKinds[fix.kind].isSafe);
    assert.deepEqual([parts[0]?.text, [...applied]], [`${withParams('')} `, [['json-space', 1]]]);
  });

  it('repairs a line only as far as its reading is certain', () => {
    const cut = `{'custom_id':'a','params':{'model':'m'`;
    assert.deepEqual(safely(cut), [cut]);
    const early = '{"custom_id":"a"} {"params":{"model":"m"}}';
    assert.deepEqual(safely(early), [early]);
  });
});
