import assert from 'node:assert/strict';
import { formatText, type Problem } from '../../../../src/contract/problem';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { fixesOfProblem } from '../../../../src/jsonl/fixes/fixesOfProblem';
import { JsonLine } from '../../../../src/jsonl/fixes/jsonLine';
import type { LineFix } from '../../../../src/jsonl/fixes/lineFix';
import { applyEdits } from '../../../../src/jsonl/fixes/textEdit';
import type { RuleOptions } from '../../../../src/jsonl/rules/ruleOptions';

const options: RuleOptions = { severities: {}, models: ['vendor-opus-5', 'vendor-opus-4-8'], betas: [], today: '2026-11-21' };
const line = 4;

function problemsOf(text: string): readonly Problem[] {
  return checkRequestLine(text, line, options).problems;
}

function fixesOf(text: string, rule: string, taken: readonly string[] = []): readonly LineFix[] {
  const problem = problemsOf(text).find(candidate => candidate.rule === rule);
  assert.ok(problem, `no ${rule} in ${problemsOf(text).map(found => found.rule)}`);
  return fixesOfProblem(new JsonLine(text), problem, { line, isTaken: id => taken.includes(id), models: options.models ?? [] });
}

/** Returns the title of each fix with the resulting line, in order. */
function answers(text: string, rule: string, taken?: readonly string[]): readonly (readonly [title: string, line: string])[] {
  return fixesOf(text, rule, taken).map(fix => [formatText(fix.title), applyEdits(text, fix.edits)]);
}

/** Returns the line after the preferred fix, and asserts that the problem is fixed. */
function fixed(text: string, rule: string, taken?: readonly string[]): string {
  const preferred = fixesOf(text, rule, taken).filter(fix => fix.preferred);
  assert.equal(preferred.length, 1, `${preferred.length} preferred fixes`);
  const result = applyEdits(text, preferred[0]?.edits ?? []);
  const left = result.split('\n').flatMap(part => problemsOf(part).filter(problem => problem.rule === rule));
  assert.deepEqual(left, [], result);
  return result;
}

const params = '"params":{"model":"vendor-opus-5","max_tokens":10,"messages":[{"role":"user","content":"hi"}]';

describe('jsonl/fixes/fixesOfProblem', () => {
  describe('JSON', () => {
    const valid = `{"custom_id":"a",${params}}}`;
    const repairs: readonly (readonly [name: string, broken: string, repaired: string])[] = [
      ['removes a trailing comma', `{"custom_id":"a",${params} , }}`, `{"custom_id":"a",${params}  }}`],
      ['removes the comma of an array of requests', `${valid},`, valid],
      ['puts single quotes right', valid.replace('"hi"', `'it\\'s "so"'`), valid.replace('"hi"', `"it's \\"so\\""`)],
      ['puts typographic quotes right', valid.replace('"hi"', '“hi”'), valid],
      ['quotes bare names', valid.replace('"role"', 'role'), valid],
      ['writes True as true', `${valid.slice(0, -2)},"stream":True}}`, `${valid.slice(0, -2)},"stream":true}}`],
      ['writes None as null', `${valid.slice(0, -2)},"speed":None}}`, `${valid.slice(0, -2)},"speed":null}}`],
      ['writes NaN as null', `${valid.slice(0, -2)},"speed":NaN}}`, `${valid.slice(0, -2)},"speed":null}}`],
      ['removes a comment at the end', `${valid} // the first`, valid],
      ['removes a comment in between', valid.replace('"role"', '/* who */"role"'), valid],
      ['closes what is open', valid.slice(0, -3), `${valid.slice(0, -3)}]}}`],
      ['removes brackets that close nothing', `${valid}}]`, valid],
      ['splits two requests', `${valid} ,{"custom_id":"b",${params}}}`, `${valid}\n{"custom_id":"b",${params}}}`],
      ['escapes a tab', valid.replace('hi', 'h\ti'), valid.replace('hi', 'h\\ti')],
      ['doubles a backslash', valid.replace('hi', 'C:\\dir'), valid.replace('hi', 'C:\\\\dir')],
      ['puts a missing comma', valid.replace('10,', '10 '), valid.replace('10,', '10, ')],
      ['writes .5 as 0.5', `${valid.slice(0, -2)},"temperature":.5}}`, `${valid.slice(0, -2)},"temperature":0.5}}`],
      ['removes a byte order mark inside', `\ufeff${valid}`, valid],
    ];
    for (const [name, broken, repaired] of repairs) {
      it(name, () => {
        assert.equal(fixed(broken, 'json-syntax'), repaired);
      });
    }

    it('keeps lines without a certain end', () => {
      for (const text of ['{"custom_id":"a","params":{"model":"x', '{"custom_id":', '{"a" 1}', '{"a":07}', "{'a':'it's'}", '[1 2]']) {
        assert.deepEqual(fixesOf(text, 'json-syntax'), [], text);
      }
    });

    it('removes a duplicate key with an equal value, and asks if they differ', () => {
      const same = `{"custom_id":"a",${params},"speed":null, "speed": null}}`;
      assert.equal(fixed(same, 'duplicate-key'), `{"custom_id":"a",${params},"speed":null}}`);
      assert.equal(answers(same.replaceAll('"speed"', '"x"').replace('null', '1.0').replace('null', '1'), 'duplicate-key').length, 2);
      const other = `{"custom_id":"a",${params},"speed":"fast","speed":null}}`;
      assert.deepEqual(answers(other, 'duplicate-key'), [
        ['Keep the last speed', `{"custom_id":"a",${params},"speed":null}}`],
        ['Keep the first speed', `{"custom_id":"a",${params},"speed":"fast"}}`],
      ]);
    });

    it('finds a duplicate key inside duplicates', () => {
      const text = `{"custom_id":"a","params":{"x":1,"x":1},${params}}}`;
      const [first] = answers(text, 'duplicate-key');
      assert.equal(first?.[1], `{"custom_id":"a","params":{"x":1},${params}}}`);
    });

    it('replaces only half surrogate pairs', () => {
      const text = `{"custom_id":"a",${params.replace('hi', '\\ud83d\\ude00 \\ud83d \ude00 😀')}}}`;
      assert.equal(fixed(text, 'lone-surrogate'), text.replace('\\ud83d ', '\ufffd ').replace(' \ude00 ', ' \ufffd '));
    });
  });

  describe('required fields', () => {
    const body = '"messages":[{"role":"user","content":"hi"}]';
    const request = (fields: string) => `{"custom_id":"a","params":{${fields}}}`;
    const context = { line, isTaken: () => false, models: ['vendor-opus-5'] };
    const created = (text: string, field: string, commonModel?: string) => {
      const problem = problemsOf(text).find(({ rule, path }) => rule === 'missing-field' && path.at(-1) === field) ?? assert.fail(field);
      const fixes = fixesOfProblem(new JsonLine(text), problem, { ...context, commonModel: () => commonModel });
      return fixes.map(({ title, edits, preferred }) => [formatText(title), applyEdits(text, edits), preferred]);
    };

    it('adds the model of most requests, or a placeholder', () => {
      const text = request(`"max_tokens":10,${body}`);
      assert.deepEqual(created(text, 'model', 'mine'), [['Add the model mine', request(`"model":"mine","max_tokens":10,${body}`), true]]);
      assert.deepEqual(created(text, 'model'), [
        ['Add the model vendor-opus-5', request(`"model":"vendor-opus-5","max_tokens":10,${body}`), false],
      ]);
    });

    it('adds max_tokens after the model, spaced like the line', () => {
      const [fix] = created(`{"model": "vendor-opus-5", ${body}}`, 'max_tokens');
      assert.deepEqual(fix, ['Add max_tokens 1024', `{"model": "vendor-opus-5", "max_tokens": 1024, ${body}}`, true]);
      assert.equal(created(request(body), 'max_tokens')[0]?.[1], request(`"max_tokens":1024,${body}`));
    });

    it('shows the form of messages, params and tool schemas, and prefers none', () => {
      const [messages] = created(request('"model":"vendor-opus-5","max_tokens":1'), 'messages');
      const skeleton = '"messages":[{"role":"user","content":""}]';
      assert.deepEqual(messages, ['Add messages', request(`"model":"vendor-opus-5","max_tokens":1,${skeleton}`), false]);
      assert.deepEqual(created('{"custom_id":"a"}', 'params'), [['Add params', '{"custom_id":"a","params":{}}', false]]);
      const tool = request(`"model":"vendor-opus-5","max_tokens":1,${body},"tools":[{"name":"t"}]`);
      assert.equal(created(tool, 'input_schema')[0]?.[1], tool.replace('"t"', '"t","input_schema":{"type":"object"}'));
    });
  });

  describe('IDs', () => {
    it('adds a missing one from the line number, spaced like the line', () => {
      assert.equal(fixed(`{${params}}}`, 'missing-field'), `{"custom_id":"line-5",${params}}}`);
      assert.equal(
        fixed(`{ "params": {"model": "m", "max_tokens": 1, "messages": []} }`, 'missing-field', ['line-5']).slice(0, 40),
        '{ "custom_id": "line-5-2", "params": {"m',
      );
    });

    const repairs: readonly (readonly [given: string, repaired: string, taken?: readonly string[]])[] = [
      ['"a b/c"', 'a_b_c'],
      ['" a "', 'a'],
      ['"é"', 'line-5'],
      ['""', 'line-5'],
      [`"${'x'.repeat(70)}"`, 'x'.repeat(64)],
      [`"${'x'.repeat(70)}"`, `${'x'.repeat(62)}-2`, ['x'.repeat(64)]],
      ['12', '12'],
      ['1.5', '1_5'],
      ['12345678901234567890', '12345678901234567890'],
      ['null', 'line-5'],
    ];
    for (const [given, repaired, taken] of repairs) {
      it(`repairs ${given.slice(0, 12)} to ${repaired.slice(0, 8)}${taken ? ' when it is taken' : ''}`, () => {
        const text = `{"custom_id":${given},${params}}}`;
        const rule = given.startsWith('"') ? 'text-pattern' : 'wrong-type';
        assert.equal(fixed(text, rule, taken), `{"custom_id":"${repaired}",${params}}}`);
      });
    }

    for (const value of ['["a"]', '{"id":"a"}']) {
      it(`offers to replace ${value} with an ID, which would lose it, only on request`, () => {
        const [fix, ...others] = fixesOf(`{"custom_id":${value},${params}}}`, 'wrong-type');
        assert.deepEqual([fix?.kind, fix?.preferred, others], ['repair-id', false, []]);
      });
    }

    it('appends a number to a duplicate ID, and keeps the first use', () => {
      const text = `{"custom_id":"a",${params}}}`;
      const problem = {
        rule: 'duplicate-id',
        severity: 'error',
        text: { template: '', args: [] },
        line,
        start: 0,
        end: 0,
        path: [],
      } as const;
      const context = { line, isTaken: (id: string) => id === 'a' || id === 'a-2', models: [] };
      const related = (other: number) => [{ line: other, text: { template: '', args: [] } }];
      const [later] = fixesOfProblem(new JsonLine(text), { ...problem, related: related(2) }, context);
      assert.deepEqual([later?.preferred, applyEdits(text, later?.edits ?? [])], [true, `{"custom_id":"a-3",${params}}}`]);
      const [first] = fixesOfProblem(new JsonLine(text), { ...problem, related: related(9) }, context);
      assert.equal(first?.preferred, false);
    });

    it('collects the fields of params that are beside the ID', () => {
      const fields = '"model":"m", "max_tokens":1, "messages":[]';
      const wrapped = `{"custom_id":"a", "params":{${fields}}}`;
      assert.equal(fixed(`{"custom_id":"a", ${fields}}`, 'missing-field'), wrapped);
      assert.equal(fixed(`{${fields}, "custom_id":"a"}`, 'missing-field'), wrapped.replace(', "params"', ',"params"'));
    });
  });

  describe('fields', () => {
    it('corrects a similar name', () => {
      assert.equal(
        fixed(`{"custom_id":"a",${params},"stop_sequence":["x"]}}`, 'unknown-field'),
        `{"custom_id":"a",${params},"stop_sequences":["x"]}}`,
      );
      assert.equal(fixed(`{"customId":"a",${params}}}`, 'unknown-field'), `{"custom_id":"a",${params}}}`);
    });

    it('knows the names of other services', () => {
      const other = (name: string) => `{"custom_id":"a",${params.replace('max_tokens', name)}}}`;
      assert.equal(fixed(other('max_completion_tokens'), 'unknown-field'), other('max_tokens'));
      assert.equal(
        fixed(`{"custom_id":"a",${params},"stop":["x"]}}`, 'unknown-field'),
        `{"custom_id":"a",${params},"stop_sequences":["x"]}}`,
      );
    });

    it('adds a type with one possible value', () => {
      const text = (more: string) => `{"custom_id":"a",${params}${more}}}`;
      for (const [before, after] of [
        [',"cache_control":{"ttl": "1h"}', ',"cache_control":{"type": "ephemeral", "ttl": "1h"}'],
        [',"system":[{"text":"x"}]', ',"system":[{"type":"text","text":"x"}]'],
        [',"thinking":{"budget_tokens":1024}', ',"thinking":{"type":"enabled","budget_tokens":1024}'],
        [',"output_config":{"format":{"schema":{}}}', ',"output_config":{"format":{"type":"json_schema","schema":{}}}'],
        [',"tools":[{"name":"t","input_schema":{}}]', ',"tools":[{"name":"t","input_schema":{"type":"object"}}]'],
      ] as const) {
        assert.equal(fixed(text(before), 'missing-field'), text(after));
      }
      assert.deepEqual(answers(text(',"tool_choice":{"name":"x"}'), 'missing-field'), []);
    });

    it('moves a misplaced field into the params', () => {
      assert.equal(
        fixed(`{"custom_id":"a", ${params}},"system":"s"}`, 'unknown-field'),
        `{"custom_id":"a", ${params}, "system":"s"}}`.replace(', "s', ',"s'),
      );
    });

    it('removes an unknown field, with its comma, at any position', () => {
      for (const [before, after] of [
        ['{"custom_id":"a" , "params":{"zzzzzzzz" : [1,{"b":"}"}] , "speed":null}}', '{"custom_id":"a" , "params":{"speed":null}}'],
        ['{"model":"m","max_tokens":1,"zzzzzzzz":1,"messages":[]}', '{"model":"m","max_tokens":1,"messages":[]}'],
      ] as const) {
        assert.equal(fixed(before, 'unknown-field'), after);
      }
    });

    it("removes a user's field beside the params only on request, because it would be lost", () => {
      for (const [before, after] of [
        ['{"custom_id":"a" , "zzzzzzzz" : [1,{"b":"}"}] , "params":{}}', '{"custom_id":"a" , "params":{}}'],
        ['{"zzzzzzzz":1, "custom_id":"a","params":{}}', '{"custom_id":"a","params":{}}'],
        ['{"custom_id":"a","params":{} ,"zzzzzzzz":1 }', '{"custom_id":"a","params":{} }'],
      ] as const) {
        assert.deepEqual(answers(before, 'unknown-field'), [['Remove zzzzzzzz', after]]);
        assert.deepEqual(
          fixesOf(before, 'unknown-field').map(({ preferred }) => preferred),
          [false],
        );
      }
    });

    it('moves output_format into output_config', () => {
      const format = '{"type":"json_schema","schema":{}}';
      const withFormat = (config: string) => `{"custom_id":"a",${params}${config},"output_format": ${format}}}`;
      assert.equal(fixed(withFormat(''), 'deprecated-field'), `{"custom_id":"a",${params},"output_config": {"format": ${format}}}}`);
      assert.equal(
        fixed(withFormat(',"output_config":{"effort":"low"}'), 'deprecated-field'),
        `{"custom_id":"a",${params},"output_config":{"effort":"low","format":${format}}}}`,
      );
      const both = withFormat(`,"output_config":{"format":${format}}`);
      assert.deepEqual(answers(both, 'deprecated-field'), []);
      assert.equal(fixed(both, 'output-format-twice'), `{"custom_id":"a",${params},"output_config":{"format":${format}}}}`);
    });

    it('drops stream, and fields that the model rejects', () => {
      assert.equal(fixed(`{"custom_id":"a",${params},"stream":true}}`, 'stream-in-batch'), `{"custom_id":"a",${params}}}`);
      const text = `{"custom_id":"a",${params},"temperature":0.5}}`;
      assert.equal(fixed(text, 'sampling-rejected'), `{"custom_id":"a",${params}}}`);
      assert.deepEqual(answers(text, 'sampling-rejected')[1], ['Change it to 1', text.replace('0.5', '1')]);
    });

    it('offers both fixes of a credit with fallbacks, and prefers none', () => {
      const text = `{"custom_id":"a",${params},"fallbacks":"default","fallback_credit_token":"t"}}`;
      assert.deepEqual(
        fixesOf(text, 'credit-with-fallbacks').map(fix => fix.preferred),
        [false, false],
      );
      assert.deepEqual(answers(text, 'credit-with-fallbacks'), [
        ['Remove fallback_credit_token', `{"custom_id":"a",${params},"fallbacks":"default"}}`],
        ['Remove fallbacks', `{"custom_id":"a",${params},"fallback_credit_token":"t"}}`],
      ]);
    });

    it('writes a credit object as a string if that means the same', () => {
      const text = (mode: string) => `{"custom_id":"a",${params},"fallback_credit_token":{"token":"t\\u0031"${mode}}}}`;
      const bare = `{"custom_id":"a",${params},"fallback_credit_token":"t\\u0031"}}`;
      assert.equal(fixed(text(''), 'credit-needs-beta'), bare);
      assert.equal(fixed(text(',"mode":"strict"'), 'credit-needs-beta'), bare);
      assert.deepEqual(answers(text(',"mode":"best_effort"'), 'credit-needs-beta'), []);
    });

    it('removes an empty block if others remain', () => {
      const text = (content: string) => `{"custom_id":"a",${params.replace('"hi"', content)}}}`;
      assert.equal(
        fixed(text('[{"type":"text","text":""},{"type":"text","text":"b"}]'), 'text-length'),
        text('[{"type":"text","text":"b"}]'),
      );
      assert.deepEqual(answers(text('[{"type":"text","text":""}]'), 'text-length'), []);
      const marked = '{"type":"text","text":"","cache_control":{"type":"ephemeral"}}';
      assert.deepEqual(answers(text(`[${marked},{"type":"text","text":"b"}]`), 'text-length'), []);
    });
  });

  describe('system messages', () => {
    const text = (messages: string, before = '') =>
      `{"custom_id":"a","params":{"model": "m","max_tokens": 1,${before}"messages": [${messages}]}}`;
    const user = '{"role":"user","content":"hi"}';

    it('moves a leading one unchanged', () => {
      const system = '{"role": "system", "content": "be \\u0062rief"}';
      assert.equal(fixed(text(`${system}, ${user}`), 'system-role'), text(user, '"system": "be \\u0062rief", '));
    });

    it('converts several to blocks', () => {
      const messages = `{"role":"system","content":"a"},{"role":"system","content":[{"type":"text","text":"b"}]},${user}`;
      const system = '"system": [{"type":"text","text":"a"},{"type":"text","text":"b"}], ';
      assert.equal(fixed(text(messages), 'system-role'), text(user, system));
    });

    it('keeps one between others, one beside system, and one without other messages', () => {
      const system = '{"role":"system","content":"a"}';
      assert.deepEqual(answers(text(`${user},${system}`), 'system-role'), []);
      assert.deepEqual(answers(text(`${system},${user}`, '"system":"x",'), 'system-role'), []);
      assert.deepEqual(answers(text(system), 'system-role'), []);
    });
  });

  describe('values', () => {
    const text = (field: string) => `{"custom_id":"a",${params},${field}}}`;
    const cases: readonly (readonly [name: string, rule: string, before: string, after: string])[] = [
      ['corrects a listed value', 'value-not-allowed', '"service_tier":"Standard-Only"', '"service_tier":"standard_only"'],
      [
        'writes the only name a tool has',
        'value-not-allowed',
        '"tools":[{"type":"bash_20250124","name":"sh"}]',
        '"tools":[{"type":"bash_20250124","name":"bash"}]',
      ],
      ['writes a text as a number', 'wrong-type', '"top_k":"5"', '"top_k":5'],
      ['writes a text as true', 'wrong-type', '"stream":"True"', '"stream":true'],
      ['writes a number as a text', 'wrong-type', '"metadata":{"user_id":10.50}', '"metadata":{"user_id":"10.50"}'],
      ['puts a single value into an array', 'wrong-type', '"stop_sequences": "x"', '"stop_sequences": ["x"]'],
      ['lowers a number', 'number-out-of-range', '"temperature":1.5', '"temperature":1'],
      [
        'raises a number',
        'number-out-of-range',
        '"thinking":{"type":"enabled","budget_tokens":5}',
        '"thinking":{"type":"enabled","budget_tokens":1024}',
      ],
    ];
    for (const [name, rule, before, after] of cases) {
      it(name, () => assert.equal(fixed(text(before), rule), text(after)));
    }

    it("removes null if it isn't allowed", () => {
      assert.equal(fixed(text('"temperature":null'), 'wrong-type'), `{"custom_id":"a",${params}}}`);
    });

    it('corrects roles', () => {
      assert.equal(fixed(`{"custom_id":"a",${params.replace('"user"', '"User"')}}}`, 'value-not-allowed'), `{"custom_id":"a",${params}}}`);
    });

    it('offers every listed value if none is similar', () => {
      const titles = answers(`{"custom_id":"a",${params.replace('"user"', '"zzzzzzzzz"')}}}`, 'value-not-allowed').map(([title]) => title);
      assert.deepEqual(titles, ['Change it to user', 'Change it to assistant', 'Change it to system']);
    });

    it('replaces models by their successor or a similar name', () => {
      const model = (name: string) => `{"custom_id":"a",${params.replace('vendor-opus-5', name)}}}`;
      assert.equal(fixed(model('vendor-mythos-preview'), 'deprecated-model'), model('vendor-mythos-5'));
      assert.equal(fixed(model('vendor-opuss-5'), 'unknown-model'), model('vendor-opus-5'));
    });

    it('raises max_tokens above the thinking budget, or lowers the budget', () => {
      const thinking = (most: number, budget: number) =>
        `{"custom_id":"a",${params.replace(':10,', `:${most},`)},"thinking":{"type":"enabled","budget_tokens":${budget}}}}`;
      assert.deepEqual(answers(thinking(4000, 5000), 'thinking-budget'), [
        ['Raise max_tokens to 9000', thinking(9000, 5000)],
        ['Lower budget_tokens to 2000', thinking(4000, 2000)],
      ]);
      assert.equal(answers(thinking(10, 5000), 'thinking-budget').length, 1);
      assert.equal(fixed(thinking(0, 1024), 'thinking-budget'), thinking(2048, 1024));
    });
  });

  it('never throws on invalid values', () => {
    for (const text of [
      '{"custom_id":{}}',
      '{"params":[]}',
      '{"params":null}',
      '{"custom_id":"a","params":"x"}',
      '{"messages":{"role":1}}',
    ]) {
      for (const problem of problemsOf(text)) {
        fixesOfProblem(new JsonLine(text), problem, { line, isTaken: () => false, models: [] });
      }
    }
  });

  describe('errors that services report hours later', () => {
    const withMessages = (...messages: readonly object[]) =>
      JSON.stringify({ custom_id: 'a', params: { model: 'vendor-haiku-4-5', max_tokens: 10, messages } });
    const picture = (media_type: string, data: string) =>
      withMessages({ role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type, data } }] });
    const call = { type: 'tool_use', id: 't', name: 'f', input: {} };

    it('corrects media types by the bytes', () => {
      assert.equal(fixed(picture('image/jpeg', 'iVBORw0KGgo='), 'picture-type'), picture('image/png', 'iVBORw0KGgo='));
      assert.equal(fixed(picture('image/jpg', '/9j/4AAQ'), 'value-not-allowed'), picture('image/jpeg', '/9j/4AAQ'));
      assert.equal(
        fixed(picture('image/png', 'data:image/png;charset=utf-8;base64,iVBORw0KGgo='), 'picture-type'),
        picture('image/png', 'iVBORw0KGgo='),
      );
      assert.deepEqual(answers(picture('image/png', 'JVBERi0xLjcK'), 'picture-type'), []);
    });

    it('trims a continued text, and asks about everything else', () => {
      const line = (content: string) => withMessages({ role: 'user', content: 'x' }, { role: 'assistant', content });
      assert.equal(fixed(line('C:\\n \n\t '), 'prefill'), line('C:\\n'));
      assert.deepEqual(answers(line('x').replace('vendor-haiku-4-5', 'vendor-opus-5'), 'prefill'), [
        ['Remove message', withMessages({ role: 'user', content: 'x' }).replace('vendor-haiku-4-5', 'vendor-opus-5')],
      ]);
    });

    it('answers a call with an empty result, or removes it', () => {
      const said = { role: 'assistant', content: [{ type: 'text', text: 'x' }, call] };
      const result = { type: 'tool_result', tool_use_id: 't' };
      assert.deepEqual(answers(withMessages(said, { role: 'user', content: 'y' }), 'tool-pairs'), [
        ['Add empty tool result', withMessages(said, { role: 'user', content: [result, { type: 'text', text: 'y' }] })],
        ['Remove tool call', withMessages({ role: 'assistant', content: [{ type: 'text', text: 'x' }] }, { role: 'user', content: 'y' })],
      ]);
      const doubled = withMessages({ role: 'assistant', content: [call, call] }, { role: 'user', content: [result] });
      assert.deepEqual(answers(doubled, 'tool-pairs'), [
        ['Remove tool call', withMessages({ role: 'assistant', content: [call] }, { role: 'user', content: [result] })],
      ]);
      const unasked = withMessages({ role: 'user', content: [result, { type: 'text', text: 'y' }] });
      assert.deepEqual(answers(unasked, 'tool-pairs'), [
        ['Remove tool result', withMessages({ role: 'user', content: [{ type: 'text', text: 'y' }] })],
      ]);
    });

    it('renames the schema of a tool for this service', () => {
      const tools = (...keys: readonly string[]) =>
        JSON.stringify({
          custom_id: 'a',
          params: {
            model: 'm',
            max_tokens: 10,
            messages: [{ role: 'user', content: 'x' }],
            tools: [{ name: 'f', ...Object.fromEntries(keys.map(key => [key, { type: 'object' }])) }],
          },
        });
      assert.equal(fixed(tools('parameters'), 'unknown-field'), tools('input_schema'));
      assert.equal(fixed(tools('parameters'), 'missing-field'), tools('input_schema'));
      assert.equal(fixed(tools('input_schema', 'parameters'), 'unknown-field'), tools('input_schema'));
    });
  });
});
