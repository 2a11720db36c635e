import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import type { FileSurvey } from '../../../../src/jsonl/survey/fileSurvey';
import { surveyFile } from '../../../../src/jsonl/survey/surveyFile';
import { runs } from '../../../helpers/runs';
import { requestLine } from '../requestLines';
import { requestOf, surveyLine } from './surveyTexts';

const quiet = { throwIfAborted: () => {}, progress: () => {} };
const options = { minimumCachedTokens: 1024 };

describe('jsonl/survey/surveyFile', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'survey-'));
  const file = path.join(folder, 'requests.jsonl');
  after(() => rmSync(folder, { recursive: true }));

  const survey = (content: string | Uint8Array, minimumCachedTokens = 1024) => {
    writeFileSync(file, content);
    return surveyFile(file, { minimumCachedTokens }, quiet);
  };
  const likely = (content: unknown, more: object = {}) => surveyLine(requestOf(content, more), options).input.likely;

  it('sums requests, models and the maximum output', async () => {
    const content = [
      requestOf('one', { max_tokens: 5 }),
      requestOf('two', { max_tokens: 1e3 }),
      requestOf('three', { model: 'n', max_tokens: 0 }),
      '{"model":"n","max_tokens":7.0,"messages":[]}',
      '',
      ' \t\r',
    ].join('\n');
    const found = await survey(`\ufeff${content}`);
    assert.equal(found.requests, 4);
    assert.equal(found.skippedLines, 0);
    assert.equal(found.maxOutput, 1012);
    assert.equal(found.withoutMaxTokens, 0);
    assert.deepEqual(
      found.models.map(({ model, requests, maxOutput }) => [model, requests, maxOutput]),
      [
        ['m', 2, 1005],
        ['n', 2, 7],
      ],
    );
    assert.equal(
      found.models.reduce((sum, { input }) => sum + input.likely, 0),
      found.input.likely,
    );
  });

  it('surveys only the chosen lines', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(requestLine, fc.constantFrom('', 'no JSON', '{"a":', ' ')), { maxLength: 12 }),
        fc.infiniteStream(fc.boolean()),
        async (content, choices) => {
          const isChosen = content.map(() => choices.next().value === true);
          const lines = Uint32Array.from(isChosen.flatMap((is, line) => (is ? [line] : [])));
          // Blanks the lines that aren't chosen, so that line numbers don't change.
          writeFileSync(file, content.map((line, at) => (isChosen[at] ? line : '')).join('\n'));
          const expected = await surveyFile(file, options, quiet);
          writeFileSync(file, content.join('\n'));
          assert.deepEqual(await surveyFile(file, { ...options, lines }, quiet), expected);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('gives each combination of tools and system prompt one number, for any model, messages and cache markers', async () => {
    const tools = [{ name: 'search', input_schema: { type: 'object' } }];
    const templatesOf = async (...lines: readonly string[]) => (await survey(lines.join('\n'))).models.map(({ template }) => template);
    const [sort] = await templatesOf(requestOf('one', { system: 'Sort.' }), requestOf('two', { system: 'Sort.', max_tokens: 7 }));
    assert.ok(sort);
    const marked = { system: [{ type: 'text', text: 'Sort.', cache_control: { type: 'ephemeral' } }], model: 'other' };
    assert.deepEqual(await templatesOf(requestOf('x', marked)), [sort]);
    const [withTools] = await templatesOf(requestOf('x', { system: 'Sort.', tools }));
    assert.ok(withTools && withTools !== sort);
    assert.deepEqual(await templatesOf(requestOf('x', { system: 'Sort.' }), requestOf('y', { system: 'Count.' })), [0]);
    assert.deepEqual(await templatesOf(requestOf('x'), requestOf('y')), [0]);
  });

  it('counts requests whose max_tokens is missing or not a whole number', async () => {
    const values = ['"5"', 'null', 'true', '-1', '1.5', '[5]', '{}', '1e400', '5,"x":{'.slice(0, 1)];
    const found = await survey(`${values.map(value => `{"model":"m","max_tokens":${value},"messages":[]}`).join('\n')}\n{"messages":[]}`);
    assert.equal(found.requests, 10);
    assert.equal(found.withoutMaxTokens, 9);
    assert.equal(found.maxOutput, 5);
  });

  it('skips and counts lines without a request', async () => {
    const lines: (string | Uint8Array)[] = [
      '{',
      '[]',
      '7',
      '"a"',
      '{"a":1}',
      '{}',
      'null',
      `${requestOf('a')} x`,
      requestOf('a').slice(0, -1),
    ];
    lines.push(Buffer.from([...Buffer.from(requestOf('a').slice(0, 30)), 0xff, ...Buffer.from(requestOf('a').slice(30))]));
    lines.push(`{"params":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, requestOf('good'));
    lines.push(requestOf('x').replace('"x"', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`));
    const found = await survey(Buffer.concat(lines.map(line => Buffer.concat([Buffer.from(line), Buffer.from('\n')]))));
    assert.equal(found.requests + found.skippedLines, 13);
    assert.equal(found.requests, 1);
  });

  it('counts what a model reads, without the envelope', () => {
    const plain = likely('Tell me of the sea.');
    const same: readonly object[] = [
      { temperature: 1, metadata: { user_id: 'somebody-with-a-long-name' }, stop_sequences: ['one', 'two'] },
      { cache_control: { type: 'ephemeral' } },
      { tools: [], thinking: { type: 'enabled', budget_tokens: 1024 } },
    ];
    for (const more of same) {
      assert.equal(likely('Tell me of the sea.', more), plain, JSON.stringify(more));
    }
    assert.equal(likely([{ type: 'text', text: 'Tell me of the sea.', cache_control: { type: 'ephemeral', ttl: '1h' } }]), plain);
    assert.equal(likely([{ type: 'document', source: { media_type: 'text/plain', data: 'Tell me of the sea.', type: 'text' } }]), plain);
    assert.equal(likely([{ type: 'document', source: { type: 'content', content: 'Tell me of the sea.' } }]), plain);
    assert.equal(
      likely([{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'Tell me of the sea.' }] }]),
      plain,
    );
    assert.ok(likely('Tell me of the sea.', { system: 'Be short.' }) > plain);
    assert.equal(likely('a', { system: 'Be short.' }), likely('a', { system: [{ type: 'text', text: 'Be short.' }] }));
    const tool = { name: 'find', description: 'Finds a thing', input_schema: { type: 'object', properties: { what: { type: 'string' } } } };
    assert.ok(likely('a', { tools: [tool] }) > likely('a', { tools: [{ ...tool, description: '' }] }));
    assert.ok(likely('a', { tools: [tool] }) > likely('a', { tools: [{ ...tool, input_schema: { type: 'object' } }] }));
    assert.ok(likely('a', { tools: [tool] }) > likely('a', { tools: [{ ...tool, defer_loading: true }] }));
  });

  it("counts content separately whose tokens aren't its text", () => {
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'.repeat(100);
    const opaque = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      { type: 'image', source: { data, media_type: 'image/png', type: 'base64' } },
      { type: 'image', source: { type: 'url', url: 'https://host/long/address/of/a/picture.png' } },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
      { type: 'container_upload', file_id: 'file_1' },
      { type: 'redacted_thinking', data },
    ];
    for (const block of opaque) {
      const found = surveyLine(requestOf([block]), options);
      assert.equal(found.opaqueBlocks, 1, JSON.stringify(block).slice(0, 60));
      assert.equal(found.input.likely, surveyLine(requestOf(''), options).input.likely, block.type);
      assert.deepEqual(found.findings, []);
    }
    assert.equal(surveyLine(requestOf([{ type: 'tool_result', tool_use_id: 't', content: opaque.slice(0, 3) }]), options).opaqueBlocks, 3);
    assert.equal(surveyLine(requestOf('a', { tools: [{ type: 'mcp_toolset', mcp_server_name: 's' }] }), options).opaqueBlocks, 1);
    assert.equal(surveyLine(requestOf('a'), options).opaqueBlocks, 0);
  });

  it('finds sensitive text anywhere in params, with its position in the line', async () => {
    const lines = [
      requestOf('nothing'),
      `  ${requestOf('日本 "quoted" 😀 \n alice@corp.com and bob@corp.com').replace('日', '\\u65e5').replace('corp.com and', '\\u0063orp.com and')}`,
      requestOf('a', { metadata: { user_id: 'carol@corp.com' } }),
      requestOf('a', { mcp_servers: [{ type: 'url', name: 's', url: 'https://host', authorization_token: 'tok-\u00e9' }] }),
      requestOf('a', { fallback_credit_token: { mode: 'strict', token: 'credit' } }),
    ];
    const { findings } = await survey(`\ufeff${lines.join('\r\n')}`);
    assert.deepEqual(
      findings.map(({ pattern, kind, count }) => [pattern, kind, count]),
      [
        ['token-field', 'secret', 2],
        ['e-mail', 'personal', 3],
      ],
    );
    const marked = findings.flatMap(({ ranges }) => ranges.map(({ line, start, end }) => [line, lines[line]?.slice(start, end)]));
    assert.deepEqual(marked, [
      [3, 'tok-é'],
      [4, 'credit'],
      [1, 'alice@\\u0063orp.com'],
      [1, 'bob@corp.com'],
      [2, 'carol@corp.com'],
    ]);
    assert.ok(findings.every(({ ranges }) => ranges.every(({ masked }) => masked.replace('••••', '').length <= 4)));
  });

  it('returns twenty positions of a pattern and counts the rest', async () => {
    const { findings } = await survey(
      Array.from({ length: 15 }, (_, index) => requestOf(`a${index}@corp.com, b${index}@corp.com`)).join('\n'),
    );
    assert.equal(findings[0]?.count, 30);
    assert.equal(findings[0]?.ranges.length, 20);
  });

  it('searches long texts in parts without missing a word', async () => {
    const words = Array.from({ length: 60_000 }, (_, index) => (index % 500 === 0 ? `a${index}@corp.com` : 'wörd\n'));
    const line = requestOf(words.join(' '));
    const { findings } = await survey(line);
    assert.equal(findings[0]?.count, 120);
    const places = findings[0]?.ranges.map(({ start, end }) => line.slice(start, end));
    assert.deepEqual(places, words.filter(word => word.includes('@')).slice(0, 20));
    const { ranges: last } = surveyLine(requestOf(`${'é'.repeat(600_000)} z@corp.com`), options).findings[0] ?? { ranges: [] };
    assert.equal(last.length, 1);
    // A long text without spaces is split at any position.
    assert.deepEqual(surveyLine(requestOf('x1'.repeat(300_000)), options).findings, []);
  });

  it('finds nothing in skipped lines', async () => {
    const { findings, skippedLines } = await survey(`${requestOf('alice@corp.com')}}\n`);
    assert.deepEqual([findings, skippedLines], [[], 1]);
  });

  it('keeps a thousand models apart and joins the rest', async () => {
    const { models } = await survey(Array.from({ length: 1200 }, (_, index) => requestOf('a', { model: `m${index}` })).join('\n'));
    assert.equal(models.length, 1001);
    assert.deepEqual([models[0]?.model, models[0]?.requests], ['', 200]);
  });

  it('surveys every valid line, and sums its lines in any layout', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(requestLine, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(0, 400_000, 1_048_560),
        async (lines, size) => {
          // Pads lines with white space, so that a file is read in several pieces.
          const padded = lines.map(line => `${' '.repeat(size)}${line}`);
          const whole = await survey(padded.join('\n'));
          const parts = lines.map(line => surveyLine(line, options));
          assert.equal(whole.requests, lines.length);
          const sum = (of: (part: FileSurvey) => number) => parts.reduce((total, part) => total + of(part), 0);
          assert.ok(Math.abs(whole.input.likely - sum(part => part.input.likely)) <= lines.length);
          assert.ok(Math.abs(whole.input.high - sum(part => part.input.high)) <= lines.length);
          assert.equal(
            whole.maxOutput,
            sum(part => part.maxOutput),
          );
          assert.equal(
            whole.opaqueBlocks,
            sum(part => part.opaqueBlocks),
          );
          assert.equal(
            whole.findings.reduce((total, { count }) => total + count, 0),
            sum(part => part.findings.reduce((total, { count }) => total + count, 0)),
          );
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it('survives any line', () => {
    fc.assert(
      fc.property(requestLine, fc.nat(), fc.string({ maxLength: 4 }), fc.nat(6), (line, place, insert, cut) => {
        const at = place % (line.length + 1);
        const text = line.slice(0, at) + insert + line.slice(at + cut);
        const found = surveyLine(text, options);
        assert.ok(found.requests + found.skippedLines <= 1);
        const first = text.split('\n')[0] ?? '';
        // The survey and the check must recognize the same lines as requests.
        const { kind } = checkRequestLine(first, 0, contractRules('2026-11-21'));
        assert.deepEqual([found.requests, found.skippedLines], kind === 'blank' ? [0, 0] : kind === 'invalid' ? [0, 1] : [1, 0], first);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('goes as deep into a line as the check', () => {
    for (let depth = 505; depth < 515; depth++) {
      for (const [open, close] of [
        ['{"a":', '}'],
        ['[', ']'],
      ] as const) {
        const deep = `${open.repeat(depth)}1${close.repeat(depth)}`;
        const block = { type: 'tool_use', id: 'i', name: 'n', input: 'deep' };
        const nested = `${'{"type":"tool_result","content":['.repeat(depth >> 1)}${']}'.repeat(depth >> 1)}`;
        const lines = [
          requestOf([block]).replace('"deep"', deep),
          requestOf('a', { metadata: 'deep' }).replace('"deep"', deep),
          requestOf('a', { system: [{ type: 'text', text: 'x', citations: 'deep' }] }).replace('"deep"', deep),
          requestOf([block]).replace(JSON.stringify(block), nested),
          requestOf([{ type: 'document', source: { type: 'content', content: 'deep' } }]).replace('"deep"', deep),
          requestOf('a', { tools: [{ name: 't', input_schema: 'deep' }] }).replace('"deep"', deep),
          requestOf('a', { cache_control: 'deep' }).replace('"deep"', deep),
          requestOf([{ type: 'text', text: 'x', cache_control: 'deep' }]).replace('"deep"', deep),
          requestOf('a', { max_tokens: 'deep' }).replace('"deep"', deep),
          requestOf('a', {}, 'deep').replace('"deep"', deep),
        ];
        for (const [index, line] of lines.entries()) {
          const isInvalid = checkRequestLine(line, 0, contractRules('2026-11-21')).kind === 'invalid';
          assert.equal(surveyLine(line, options).skippedLines, isInvalid ? 1 : 0, `${depth}, ${open}, ${index}`);
        }
      }
    }
  });

  it('stops as soon as it is canceled', async () => {
    writeFileSync(file, requestOf('a'));
    const stop = new Error('enough');
    const throwIfAborted = () => {
      throw stop;
    };
    await assert.rejects(surveyFile(file, options, { ...quiet, throwIfAborted }), stop);
  });
});
