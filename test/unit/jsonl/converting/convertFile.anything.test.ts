import assert from 'node:assert/strict';
import fc from 'fast-check';
import { surveyForeign } from '../../../../src/jsonl/converting/surveyForeign';
import { runs } from '../../../helpers/runs';
import { quiet } from '../arranging/requestFiles';
import { requestLine } from '../requestLines';
import { createConversion, errorsOf } from './conversion';

describe('jsonl/converting/convertFile: anything', () => {
  const { files, convert } = createConversion();

  const scalar = fc.constantFrom<unknown>(null, 1, -1, 0.5, 2, true, '', 'x', 'data:image/png;base64,AA==', 'https://x/y', [], {}, ['a']);
  const part = fc.record(
    {
      type: fc.constantFrom('text', 'image_url', 'file', 'input_audio', 'refusal', 'other'),
      text: scalar,
      image_url: fc.oneof(scalar, fc.record({ url: scalar, detail: scalar }, { requiredKeys: [] })),
      file: fc.record({ file_data: scalar, filename: scalar }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  );
  const call = fc.record(
    {
      id: scalar,
      type: fc.constantFrom('function', 'custom'),
      function: fc.record(
        { name: fc.constantFrom('f', 'g h', 1), arguments: fc.constantFrom('{}', '{"a":1}', '[', '', 3) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const message = fc.record(
    {
      role: fc.constantFrom('user', 'assistant', 'system', 'developer', 'tool', 'other'),
      content: fc.oneof(scalar, fc.constant('words'), fc.array(part, { maxLength: 2 })),
      tool_calls: fc.array(call, { maxLength: 2 }),
      tool_call_id: scalar,
      name: scalar,
    },
    { requiredKeys: ['role'] },
  );
  const keys = [
    'temperature',
    'top_p',
    'stop',
    'tools',
    'tool_choice',
    'response_format',
    'user',
    'metadata',
    'reasoning_effort',
    'service_tier',
    'max_tokens',
    'max_completion_tokens',
    'model',
    'n',
    'seed',
    'functions',
    'system',
    'parallel_tool_calls',
    '__proto__',
    'output_config',
  ];
  const body = fc
    .tuple(fc.array(message, { maxLength: 3 }), fc.dictionary(fc.constantFrom(...keys), scalar, { maxKeys: 4 }))
    .map(([messages, more]) => ({ messages, ...more }));
  const item = fc.oneof(
    body.map(value => JSON.stringify({ custom_id: 'a', url: '/v1/chat/completions', body: value })),
    body.map(value => JSON.stringify(value)),
    requestLine,
    fc.string(),
  );
  const mutated = fc
    .tuple(item, fc.nat(400), fc.constantFrom('', '"', '{', '}', ',', '\\', '0', '[', ']', ':'), fc.boolean())
    .map(([text, at, put, isKept]) => (isKept ? text : text.slice(0, at) + put + text.slice(at + 1)));

  /** Paths of fields that are copied from the source, including wrong values. */
  const carried =
    /model|max_tokens|top_p|top_k|stop_sequences|system|messages|metadata|output_config|tools|tool_choice|temperature|custom_id|thinking|service_tier/;

  it('never throws, loses no item, and creates requests that are wrong only in their content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(mutated, { maxLength: 4 }), async items => {
        const text = items.map(value => value.replaceAll('\n', ' ')).join('\n');
        const { report, lines, rest } = await convert(text);
        assert.equal(lines.length, report.converted);
        if (surveyForeign({ path: files.at('in.jsonl') }, quiet).layout === 'lines') {
          assert.equal(lines.length + rest.length, text.split('\n').filter(line => line.replace(/^\ufeff/, '').trim() !== '').length);
        }
        for (const line of lines) {
          // Params of this service are copied completely, including their mistakes.
          const isWhole = text.includes(line) || text.includes(line.replace(/^\{"custom_id":"[^"]*","params":/, '').slice(0, -1));
          for (const problem of isWhole ? [] : errorsOf(line)) {
            assert.ok(!['json-syntax', 'not-a-request', 'missing-field'].includes(problem.rule) || problem.path.length > 2, line);
            assert.ok(problem.rule !== 'unknown-field' || problem.path.length > 2, `${problem.rule}: ${line}`);
            assert.match(problem.path.join('.'), carried, `${problem.rule} ${problem.path.join('.')}: ${line}`);
          }
        }
      }),
      { numRuns: runs(150), endOnFailure: true },
    );
  });
});
