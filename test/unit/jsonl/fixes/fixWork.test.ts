import assert from 'node:assert/strict';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { fixesOfProblem } from '../../../../src/jsonl/fixes/fixesOfProblem';
import { fixLine, type LineCheck } from '../../../../src/jsonl/fixes/fixLine';
import { IdLedger } from '../../../../src/jsonl/fixes/idLedger';
import { JsonLine } from '../../../../src/jsonl/fixes/jsonLine';
import type { FixContext } from '../../../../src/jsonl/fixes/lineFix';
import type { RuleOptions } from '../../../../src/jsonl/rules/ruleOptions';
import { assertLinear } from '../../../helpers/workOf';

const options: RuleOptions = { severities: {}, models: ['m'], betas: [], today: '2026-11-21' };
const check: LineCheck = (text, line) => checkRequestLine(text, line, options);
const context: FixContext = { line: 0, isTaken: () => false, models: ['m'] };

const user = '{"role":"user","content":"x"}';
const list = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, index) => item(index)).join(',');
const params = (more: string, messages = user) => `{"model":"m","max_tokens":1,"messages":[${messages}]${more}}`;
const request = (more: string, messages = user) => `{"custom_id":"a","params":${params(more, messages)}}`;
const tool = (name: string, more = '') => `{"name":"${name}","input_schema":{"type":"object"}${more}}`;

/** Requests in which a mistake occurs `count` times. */
const hostile: Readonly<Record<string, (count: number) => string>> = {
  'leading system messages': count => request('', `${list(count, () => '{"role":"system","content":"x"}')},${user}`),
  'system messages behind another': count => request('', `${user},${list(count, () => '{"role":"system","content":"x"}')}`),
  'one key all the time': count => request(`,"metadata":{${list(count, () => '"user_id":"x"')}}`),
  'one key all the time, with other values': count => request(`,"metadata":{${list(count, index => `"user_id":"${index}"`)}}`),
  'each key twice': count => request(`,"metadata":{${list(count, index => `"k${index >> 1}":1`)}}`),
  'one id all the time': count => `{${list(count, () => '"custom_id":"a"')},"params":${params('')}}`,
  'unknown fields of the request': count => `{"custom_id":"a","params":${params('')},${list(count, index => `"other${index}":1`)}}`,
  'unknown fields of the params': count => request(`,${list(count, index => `"other${index}":1`)}`),
  'unknown fields without params': count => `{"custom_id":"a",${list(count, index => `"other${index}":1`)}}`,
  'unknown fields of a message': count => request('', `{"role":"user","content":"x",${list(count, index => `"other${index}":1`)}}`),
  'misspelt fields of tools': count => request(`,"tools":[${list(count, index => tool(`x${index}`, ',"cache_contrl":null'))}]`),
  'one tool all the time': count => request(`,"tools":[${list(count, () => tool('x'))}]`),
  'one name for many tools': count => request(`,"tools":[${list(count, index => tool('x', `,"description":"${index}"`))}]`),
  'servers that are not there': count =>
    request(`,"mcp_servers":[],"tools":[${list(count, index => `{"type":"mcp_toolset","mcp_server_name":"s${index}"}`)}]`),
  'empty blocks': count =>
    request('', `{"role":"user","content":[${list(count, () => '{"type":"text","text":""}')},{"type":"text","text":"x"}]}`),
  'blocks without a type': count => request('', `{"role":"user","content":[${list(count, () => '{"text":"x"}')}]}`),
  'roles written otherwise': count =>
    request(
      '',
      list(count, () => '{"role":"User","content":"x"}'),
    ),
  'values of another type': count => request(`,"stop_sequences":[${list(count, () => '1')}]`),
  'halves of pairs': count => request(`,"stop_sequences":[${list(count, () => '"\\ud800"')}]`),
  'single quotation marks and commas': count =>
    request(
      '',
      list(count, () => "{'role':'user','content':'x',}"),
    ),
  'many requests in one line': count => list(count, index => `{"custom_id":"a${index}","params":${params('')}}`).replaceAll(',{"c', ' {"c'),
};

describe('jsonl/fixes work', () => {
  // Runs first, because the other tests count calls. Counting calls slows down all code.
  it('handles as many requests in one line, and as many blocks in one message, as a line can hold', () => {
    const many = 150_000;
    const clean: LineCheck = () => ({ kind: 'request', customId: undefined, model: undefined, problems: [] });
    const fixed = (text: string, like: string) => fixLine(text, context, clean, () => true, check(like, 0)).parts;
    assert.equal(fixed('{}'.repeat(many), '{}{}').length, many);
    const [part] = fixed(
      request('', `{"role":"system","content":[${list(many, () => '{"type":"text","text":"x"}')}]},${user}`),
      request('', `{"role":"system","content":"x"},${user}`),
    );
    assert.match(part?.text ?? '', /^.{40,80}"system":\[\{"type"/);
  });

  for (const [what, textOf] of Object.entries(hostile)) {
    it(`is linear in the length of a line with ${what} @ci`, () => {
      assertLinear(count => {
        const text = textOf(count);
        return () => void fixLine(text, context, check, fix => fix.preferred);
      });
      assertLinear(count => {
        const text = textOf(count);
        const { problems } = checkRequestLine(text, 0, options);
        const line = new JsonLine(text);
        return () => void problems.map(problem => fixesOfProblem(line, problem, context));
      });
    });
  }

  it('is linear in the IDs if long ones differ only in their last characters', () => {
    assertLinear(
      count => () => {
        const ids = new IdLedger();
        const bases = Array.from({ length: count }, (_, index) => 'x'.repeat(58) + String(index).padStart(6, '0'));
        for (const base of bases) {
          ids.reserve(base);
        }
        assert.equal(new Set(bases.map(base => ids.give(base))).size, count);
      },
      400,
    );
  });
});
