import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { surveyForeign } from '../../../../src/jsonl/converting/surveyForeign';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { runs } from '../../../helpers/runs';
import { params, quiet, request } from '../arranging/requestFiles';
import { requestLine } from '../requestLines';
import { createConversion, errorsOf } from './conversion';

describe('jsonl/converting/convertFile', () => {
  const { files, convert } = createConversion();

  const chat = (body: object, id: unknown = 'a') =>
    JSON.stringify({
      custom_id: id,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'm', max_tokens: 5, messages: [], ...body },
    });

  async function paramsOf(body: object): Promise<Record<string, unknown>> {
    const { lines, failures } = await convert(chat(body));
    assert.equal(lines.length, 1, failures.join());
    assert.deepEqual(errorsOf(lines[0] ?? ''), []);
    return (JSON.parse(lines[0] ?? '') as { params: Record<string, unknown> }).params;
  }

  it('leaves out sampling options that the chosen model rejects, and says so', async () => {
    const fixture = readFileSync('test/fixtures/foreign/othervendor.jsonl', 'utf8');
    const models = [['gpt-4o-mini', 'vendor-opus-5']] as const;
    const { lines, notes } = await convert(fixture, { models });
    assert.equal(lines.length, 40);
    assert.deepEqual(lines.flatMap(errorsOf), []);
    assert.ok(notes.includes('body.temperature: Not supported, left out. 40'), notes.join('\n'));
    const other = await convert(fixture, { models: [['gpt-4o-mini', 'acme-opus-5']], modelPrefix: 'acme-' });
    assert.ok(other.lines.every(line => !line.includes('temperature')));
    const free = await convert(fixture, { models: [['gpt-4o-mini', 'vendor-haiku-4-5']] });
    assert.ok(free.lines.every(line => line.includes('"temperature":0.2')));
  });

  it('detects the type of images from their bytes, and reads data URLs with parameters', async () => {
    const { lines, notes, failures } = await convert(readFileSync('test/fixtures/requests/04-pictures.openai.jsonl', 'utf8'));
    assert.deepEqual(failures, []);
    const types = lines.map(line => /"media_type":"([^"]+)"/.exec(line)?.[1]);
    assert.deepEqual(types, ['image/jpeg', 'image/png', 'image/png']);
    assert.deepEqual(notes, ['body.messages[].content[].image_url: Image type corrected from image/jpeg to image/png. 1']);
    assert.deepEqual(
      lines.flatMap(line => checkRequestLine(line, 0, contractRules('2026-01-01')).problems),
      [],
    );
  });

  it("keeps the user's fields in requests of this service, with a note", async () => {
    const { lines, notes } = await convert(`[{"custom_id":"a","row":1,"params":{}}]`);
    assert.deepEqual(lines, ['{"custom_id":"a","row":1,"params":{}}']);
    assert.deepEqual(notes, ['row: Unsupported, kept. A quick fix moves it to another file. 1']);
  });

  describe('of a realistic file', () => {
    const fixture = readFileSync('test/fixtures/foreign/chat-completions.jsonl', 'utf8');

    it('surveys what must be asked', () => {
      const survey = surveyForeign({ path: files.write('in.jsonl', fixture) }, quiet);
      assert.equal(survey.layout, 'lines');
      assert.deepEqual(survey.kinds, { request: 0, params: 0, 'batch-line': 7, chat: 0 });
      assert.equal(survey.unknown, 2);
      assert.deepEqual(survey.models, [
        ['large-4o', 5],
        ['small-4o', 2],
      ]);
      assert.deepEqual([survey.withoutModel, survey.withoutMaxTokens], [0, 1]);
    });

    it('converts what it can, reports what was left out, and keeps the rest', async () => {
      const { report, lines, rest, notes, failures } = await convert(fixture, { models: [['large-4o', 'vendor-opus-5']] });
      assert.deepEqual([report.items, report.converted], [9, 6]);
      assert.deepEqual(lines.flatMap(errorsOf), []);
      assert.equal(
        lines[0],
        '{"custom_id":"request-1","params":{"model":"vendor-opus-5","max_tokens":1000,"system":"You are a helpful assistant.","messages":[{"role":"user","content":"What is 2+2?"}]}}',
      );
      assert.equal(
        lines[1],
        '{"custom_id":"request-2","params":{"model":"small-4o","max_tokens":250,"system":"Answer in French.","messages":[{"role":"user","content":[{"type":"text","text":"What is in this picture? \\u00e9"},{"type":"image","source":{"type":"url","url":"https://example.com/cat.png"}}]}],"temperature":0.70}}',
      );
      assert.match(lines[2] ?? '', /"input":\{"city": "Paris", "days": 1\.0\}/);
      assert.match(lines[2] ?? '', /"tool_choice":\{"type":"auto","disable_parallel_tool_use":true\}/);
      assert.equal(report.changedIds.count, 1);
      assert.deepEqual([report.changedIds.first[0]?.line, report.changedIds.first[0]?.from], [2, 'tools/3']);
      assert.match(report.changedIds.first[0]?.to ?? '', /^tools-3-[0-9a-f]{8}$/);
      assert.deepEqual(
        rest,
        fixture.split('\n').filter(line => /embed-6|respond-7|audio-8/.test(line)),
      );
      assert.deepEqual(failures, [
        'Only chats can be converted, not embeddings. 6',
        'Only chats can be converted, not responses. 7',
        "The type input_audio isn't supported. 8",
      ]);
      for (const field of [
        'body.seed',
        'body.logprobs',
        'body.top_logprobs',
        'body.temperature',
        'body.presence_penalty',
        'body.messages[].name',
      ]) {
        assert.ok(
          notes.some(note => note.startsWith(`${field}: `)),
          field,
        );
      }
      assert.ok(!notes.some(note => /body\.(?:n|frequency_penalty):/.test(note)));
    });
  });

  describe('of chats', () => {
    const user = { role: 'user', content: 'Hi' };

    it('joins system messages in order, and reports those after other turns', async () => {
      const { system } = await paramsOf({
        messages: [
          { role: 'system', content: 'one' },
          {
            role: 'developer',
            content: [
              { type: 'text', text: 'two' },
              { type: 'text', text: '' },
            ],
          },
          user,
        ],
      });
      assert.deepEqual(system, [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ]);
      const { notes } = await convert(chat({ messages: [user, { role: 'system', content: 'late' }] }));
      assert.deepEqual(notes, ['body.messages[].role: A "system" message was moved to "system". 1']);
    });

    it('converts tool calls and their results to blocks with the same IDs', async () => {
      const { messages } = await paramsOf({
        messages: [
          user,
          {
            role: 'assistant',
            content: 'Let me see.',
            tool_calls: [{ id: 'call:1', type: 'function', function: { name: 'f', arguments: '' } }],
          },
          { role: 'tool', tool_call_id: 'call:1', content: '' },
        ],
      });
      const [, assistant, result] = messages as { role: string; content: { id?: string; tool_use_id?: string }[] }[];
      assert.deepEqual(assistant?.content[0], { type: 'text', text: 'Let me see.' });
      assert.match(assistant?.content[1]?.id ?? '', /^call-1-[0-9a-f]{8}$/);
      assert.equal(result?.role, 'user');
      assert.deepEqual(result?.content, [{ type: 'tool_result', tool_use_id: assistant?.content[1]?.id }]);
    });

    it('carries over images and PDFs as base64', async () => {
      const { messages } = await paramsOf({
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url: 'data:image/jpg;base64,AAA+/=', detail: 'auto' } },
              { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
            ],
          },
        ],
      });
      assert.deepEqual((messages as { content: unknown }[])[0]?.content, [
        { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAA+/=' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' }, title: 'a.pdf' },
      ]);
    });

    it('maps single fields', async () => {
      const tool = { type: 'function', function: { name: 'f' } };
      const own = { name: 'f', input_schema: { type: 'object', properties: {} } };
      const cases: readonly (readonly [object, object])[] = [
        [{ stop: 'END' }, { stop_sequences: ['END'] }],
        [{ stop: ['a', 'b'] }, { stop_sequences: ['a', 'b'] }],
        [{ stop: null, n: 1, stream: false, logit_bias: null }, {}],
        [{ max_completion_tokens: 7, max_tokens: null }, { max_tokens: 7 }],
        [
          { temperature: 1, top_p: 0.5 },
          { temperature: 1, top_p: 0.5 },
        ],
        [{ temperature: 1.2 }, {}],
        [{ tools: [tool] }, { tools: [own] }],
        [
          { tools: [tool], tool_choice: 'none' },
          { tools: [own], tool_choice: { type: 'none' } },
        ],
        [
          { tools: [tool], tool_choice: 'required', parallel_tool_calls: true },
          { tools: [own], tool_choice: { type: 'any' } },
        ],
        [
          { tools: [tool], tool_choice: { type: 'function', function: { name: 'f' } }, parallel_tool_calls: false },
          { tools: [own], tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true } },
        ],
        [
          { tools: [tool], parallel_tool_calls: false },
          { tools: [own], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
        ],
        [
          { functions: [{ name: 'f', parameters: { properties: { a: {} } } }], function_call: { name: 'f' } },
          { tools: [{ name: 'f', input_schema: { type: 'object', properties: { a: {} } } }], tool_choice: { type: 'tool', name: 'f' } },
        ],
        [{ response_format: { type: 'text' } }, {}],
        [
          { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } }, reasoning_effort: 'high' },
          { output_config: { effort: 'high', format: { type: 'json_schema', schema: { type: 'object' } } } },
        ],
        [{ reasoning_effort: 'minimal' }, {}],
        [{ user: 'u' }, { metadata: { user_id: 'u' } }],
        [{ service_tier: 'auto' }, { service_tier: 'auto' }],
        [{ service_tier: 'default' }, { service_tier: 'standard_only' }],
        [{ service_tier: 'flex' }, {}],
        [{ metadata: { team: 'x' } }, {}],
      ];
      for (const [given, expected] of cases) {
        assert.deepEqual(
          await paramsOf({ messages: [user], ...given }),
          { model: 'm', max_tokens: 5, messages: [user], ...expected },
          JSON.stringify(given),
        );
      }
    });

    it('notes what it leaves out, but not what happens anyway', async () => {
      const noted = async (body: object) => (await convert(chat({ messages: [user], ...body }))).notes.map(note => note.split(':')[0]);
      assert.deepEqual(await noted({ n: 1, frequency_penalty: 0, response_format: { type: 'text' }, user: 'u' }), []);
      for (const body of [
        { n: 2 },
        { seed: 1 },
        { logit_bias: { 1: 2 } },
        { temperature: 2 },
        { response_format: { type: 'json_object' } },
        { reasoning_effort: 'none' },
        { reasoning_effort: { toString: 1 } },
        { service_tier: 'priority' },
        { service_tier: { toString: 1 } },
        { stream: true },
        { tool_choice: 'required' },
        { metadata: { a: 'b' } },
        { parallel_tool_calls: false },
        { parallel_tool_calls: 'no' },
      ]) {
        assert.deepEqual(await noted(body), [`body.${Object.keys(body)[0]}`]);
      }
    });

    it('gives the range of a temperature that it leaves out', async () => {
      const noted = async (temperature: number) => (await convert(chat({ messages: [user], temperature }))).notes;
      assert.deepEqual(await noted(1.5), ['body.temperature: Out of range (0 to 1), left out. 1']);
      assert.deepEqual(await noted(-0.5), ['body.temperature: Out of range (0 to 1), left out. 1']);
      assert.deepEqual(await noted(0), []);
    });

    it('gives the path of each field in its item', async () => {
      const file = { file_data: 'data:application/pdf;base64,JVBE', pages: 2 };
      const messages = [{ role: 'user', name: 'n', content: [{ type: 'file', file }] }];
      const lines = [chat({ messages: 1 }), JSON.stringify({ messages }), JSON.stringify({ modelInput: { messages }, tag: 1 })];
      const { notes } = await convert(lines.join('\n'));
      assert.deepEqual(notes, [
        'messages[].name: Not supported, left out. 1',
        'messages[].content[].file.pages: Not supported, left out. 1',
        'tag: Not supported, left out. 1',
        'modelInput.messages[].name: Not supported, left out. 1',
        'modelInput.messages[].content[].file.pages: Not supported, left out. 1',
      ]);
    });

    it('counts requests without messages together, whatever the field of the body', async () => {
      const lines = ['{"custom_id":"a","body":{}}', '{"recordId":"b","modelInput":{}}'];
      assert.deepEqual((await convert(lines.join('\n'))).failures, ['The messages are missing. 1,2']);
    });

    it('names the fields of an output schema without a counterpart', async () => {
      const schema = { name: 'x', description: 'd', strict: true, schema: { type: 'object' } };
      const { notes, lines } = await convert(chat({ messages: [user], response_format: { type: 'json_schema', json_schema: schema } }));
      assert.deepEqual(notes, [
        'body.response_format.json_schema.name: Not supported, left out. 1',
        'body.response_format.json_schema.description: Not supported, left out. 1',
      ]);
      assert.match(lines[0] ?? '', /"format":\{"type":"json_schema","schema":\{"type":"object"\}\}/);
      const loose = { type: 'json_schema', json_schema: { schema: { type: 'object' }, strict: false } };
      assert.deepEqual((await convert(chat({ messages: [user], response_format: loose }))).notes, [
        'body.response_format.json_schema.strict: Not supported, left out. 1',
      ]);
      const none = { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'none', parallel_tool_calls: false };
      assert.deepEqual((await convert(chat({ messages: [user], ...none }))).notes, []);
    });

    it('leaves out unsupported content, with the reason', async () => {
      const bodies = [
        { messages: 'x' },
        { messages: [{ role: 'function', name: 'f', content: 'x' }] },
        { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/tiff;base64,AA==' } }] }] },
        { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }] },
        { messages: [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '[1]' } }] }] },
        { messages: [{ role: 'user' }] },
      ];
      const { lines, rest, failures } = await convert(`${bodies.map(body => chat(body)).join('\n')}\nnot json\n`);
      assert.deepEqual(lines, []);
      assert.equal(rest.length, 7);
      assert.equal(failures.length, 7, failures.join('\n'));
    });

    it('detects the format of a file from its first items', () => {
      const path = files.write('in.json', `[${params('1')},${params('2')},{"note":3},`);
      const { kinds, unknown } = surveyForeign({ path, maxItems: 2 }, quiet);
      assert.deepEqual([kinds.params, unknown], [2, 0]);
    });

    it('asks for a model and max_tokens if they are missing', async () => {
      const text = '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}],"source":"set"}\n';
      const survey = surveyForeign({ path: files.write('in.jsonl', text) }, quiet);
      assert.deepEqual([survey.kinds.chat, survey.withoutModel, survey.withoutMaxTokens], [1, 1, 1]);
      assert.deepEqual((await convert(text)).lines, [
        '{"custom_id":"line-1","params":{"model":"m","max_tokens":99,"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]}}',
      ]);
      assert.deepEqual((await convert(text, { maxTokens: undefined })).failures, ['max_tokens is missing. 1']);
    });
  });

  describe("of this service's own requests", () => {
    const messy = '{ "model" : "m" , "max_tokens":1e0, "messages":[ ] , "b":1.50, "a":"\\u00e9\\/" }';

    it('wraps bare params, bytes unchanged, with unique IDs', async () => {
      const { lines, report } = await convert(`\ufeff${messy}\r\n\n${params()}\n{"custom_id":"line-3","params":{}}\n`);
      assert.deepEqual(lines, [
        `{"custom_id":"line-1","params":${messy}}`,
        `{"custom_id":"line-3-2","params":${params()}}`,
        '{"custom_id":"line-3","params":{}}',
      ]);
      assert.deepEqual(report.kinds, { request: 1, params: 2, 'batch-line': 0, chat: 0 });
      assert.equal(report.hasRest, false);
    });

    it('separates the elements of {"requests": [...]} and of arrays, in any layout', async () => {
      const elements = [request('a', 'one\ntwo'), `{ "custom_id":"b", "params":${messy}}`];
      const values = elements.map(element => JSON.parse(element) as unknown);
      for (const text of [
        `{"requests":[${elements.join(',')}]}`,
        `[${elements.join(' , ')}]\n`,
        `{\n"requests" : [\n${elements.join(',\n')}\n]}\n`,
      ]) {
        assert.deepEqual((await convert(text)).lines, elements);
      }
      for (const text of [{ requests: values }, values, { model: 'x', requests: values, more: [{ requests: [1] }] }]) {
        const { lines } = await convert(JSON.stringify(text, null, 4));
        assert.ok(lines.every(line => !line.includes('\n')));
        assert.deepEqual(
          lines.map(line => JSON.parse(line) as unknown),
          values,
        );
      }
      const nested = `{"x":{"requests":[1]},"y":[2],"z":"requests","requests":[${elements.join()}],"after":[3]}`;
      assert.deepEqual((await convert(nested)).lines, elements);
      assert.deepEqual((await convert(`[${params()},${params('b')}]`)).lines, [
        `{"custom_id":"request-1","params":${params()}}`,
        `{"custom_id":"request-2","params":${params('b')}}`,
      ]);
    });

    it('makes invalid IDs valid, and changes nothing else', async () => {
      const text = `[{ "params":${messy}, "custom_id" : "a\\u0020b" },${request('c d')},${request('e')}]`;
      const { lines, report } = await convert(text);
      const [first = '', second = ''] = report.changedIds.first.map(({ to }) => to);
      assert.deepEqual(lines, [`{ "params":${messy}, "custom_id" : "${first}" }`, request(second), request('e')]);
      assert.match(first, /^a-b-[0-9a-f]{8}$/);
    });

    it('makes duplicate IDs unique', async () => {
      const text = `{"requests":[${request('r')},${request('s')},${request('r', 'again')},${params()},${request('r')}]}`;
      const { lines, report } = await convert(text);
      const ids = lines.map(line => (JSON.parse(line) as { custom_id: string }).custom_id);
      assert.equal(new Set(ids).size, 5, ids.join());
      assert.deepEqual([ids[0], ids[1]], ['r', 's']);
      assert.match(ids[2] ?? '', /^r-3-[0-9a-f]{8}$/);
      assert.equal(report.changedIds.count, 2);
      assert.equal(lines[2], request(ids[2] ?? '', 'again'));
    });

    it('puts values that span lines on one line each', async () => {
      const values = [request('a', 'x'), request('b', '} " {'), params('y')].map(line => JSON.parse(line) as unknown);
      const { lines } = await convert(values.map(value => JSON.stringify(value, null, 2)).join('\n\n'));
      assert.deepEqual(
        lines.map(line => JSON.parse(line) as unknown),
        [values[0], values[1], { custom_id: 'request-3', params: values[2] }],
      );
    });

    it('continues after a damaged value', async () => {
      const pretty = (id: string) => JSON.stringify(JSON.parse(request(id)), null, 2);
      for (const damaged of [
        pretty('bad').replace('"max_tokens": 1,', '"max_tokens: 1,'),
        pretty('bad').replace(/\}$/, ''),
        pretty('bad').replace(']', '}'),
        pretty('bad').replace('"m",', '"m'),
      ]) {
        const { lines, rest, report } = await convert([pretty('a'), damaged, pretty('b'), pretty('c')].join('\n'));
        assert.deepEqual(
          lines.map(line => (JSON.parse(line) as { custom_id: string }).custom_id),
          ['a', 'b', 'c'],
          damaged,
        );
        assert.equal(rest.length >= 1, true);
        assert.equal(report.failures[0]?.first[0]?.line, pretty('a').split('\n').length);
      }
    });

    it("reports which element couldn't be converted and where it starts, in editor columns", async () => {
      const before = `\ufeff{"model":"é€😀",\n"requests":[${request('a', 'é€😀'.repeat(200_000))}, `;
      const { report } = await convert(`${before}5,\n "ü", 6]}`);
      const column = before.slice(1).length - before.indexOf('\n');
      assert.deepEqual(
        report.failures.map(({ count, first }) => [count, first]),
        [
          [
            3,
            [
              { line: 1, column, number: 1 },
              { line: 2, column: 1, number: 2 },
              { line: 2, column: 6, number: 3 },
            ],
          ],
        ],
      );
      assert.equal(report.layout, 'elements');
    });

    it('returns the same for any chunks', async () => {
      const values = Array.from(
        { length: runs(40, 10) },
        (_, index) => JSON.parse(request(`r${index}`, '\\"{[é'.repeat(30_000 + index))) as unknown,
      );
      for (const text of [
        JSON.stringify({ requests: values }, null, 2),
        JSON.stringify({ model: 'x', requests: values }),
        JSON.stringify(values),
      ]) {
        const { lines } = await convert(text);
        assert.deepEqual(
          lines.map(line => JSON.parse(line) as unknown),
          values,
        );
      }
    });

    const whole = requestLine.filter(line => line.includes('"custom_id"'));

    it('writes one line per item, and changes no values', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(whole, { minLength: 2, maxLength: 5 }), fc.constantFrom(0, 1, 2), async (lines, form) => {
          const text = [lines.join('\n'), `[${lines.join(',')}]`, `{"requests":[\n${lines.join(',\n')}]}`][form] ?? '';
          const expected = lines.map(line => line.trim());
          const { lines: converted, report } = await convert(text);
          fc.pre(report.changedIds.count === 0);
          assert.deepEqual(converted, expected);
        }),
        { numRuns: runs(80) },
      );
    });
  });
});
