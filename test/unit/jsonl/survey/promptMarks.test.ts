import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { batchRequestSchema } from '../../../../src/contract/batchRequest';
import { messageParamsSchema } from '../../../../src/contract/messageParams';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { SourceChangedError } from '../../../../src/jsonl/files/fileState';
import { createJsonlJobs } from '../../../../src/jsonl/jobs/jobs';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { markPrefixes } from '../../../../src/jsonl/survey/promptMarks';
import { surveyFile } from '../../../../src/jsonl/survey/surveyFile';
import { writePrimer } from '../../../../src/jsonl/survey/writePrimer';
import { runs } from '../../../helpers/runs';
import { requestLine } from '../requestLines';
import { longText } from './surveyTexts';

const quiet = { throwIfAborted: () => {}, progress: () => {} };
const system = longText(2000, 's');
const book = longText(3000, 'b');
const ephemeral = '"cache_control":{"type":"ephemeral"}';
const hour = '"cache_control":{"type":"ephemeral","ttl":"1h"}';

describe('jsonl/survey/promptMarks', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mark-'));
  const file = path.join(folder, 'requests.jsonl');
  const outPath = path.join(folder, 'marked.jsonl');
  after(() => rmSync(folder, { recursive: true }));

  const survey = (from = file, minimumCachedTokens = 1024) => surveyFile(from, { minimumCachedTokens }, quiet);

  /** Adds cache markers for all prefixes in the survey. Returns the report and the written lines. */
  async function mark(content: string | Uint8Array, ttl: '5m' | '1h' = '5m', minimumCachedTokens = 1024) {
    writeFileSync(file, content);
    const { prefixes } = await survey(file, minimumCachedTokens);
    const report = await markPrefixes({ path: file, outPath, prefixes, ttl }, quiet);
    return { prefixes, report, text: readFileSync(outPath, 'utf8') };
  }

  const plain = (index: number) =>
    `{"custom_id":"r${index}", "params": {"max_tokens":1.0,"model":"m","system":"${system}","messages":[{"role":"user","content":"${index}"}]} }`;

  it('turns a string into one marked block of the same text, and changes nothing else', async () => {
    const content = `\ufeff${plain(0)}\r\n\n not json\n${plain(1)}\n{"custom_id":"other","params":{}}\n${plain(2)}`;
    const { report, text } = await mark(content);
    assert.deepEqual(report, { requests: 3, markers: 3, already: 0, full: 0, otherTtl: 0 });
    const from = `"system":"${system}"`;
    assert.equal(text, content.replaceAll(from, `"system":[{"type":"text","text":"${system}",${ephemeral}}]`));
    assert.equal(statSync(outPath).mode & 0o777, 0o600);
  });

  it('inserts after the last field of a block, before its white space', async () => {
    const block = (end: string) => `{"type":"text", "text":"${system}"${end}`;
    const line = (end: string, index: number) =>
      `{"model":"m","max_tokens":1,"messages":[{"content":"${index}","role":"user"}],"system":[ ${block(end)} ]}`;
    const { text } = await mark(`${line(' \t}', 0)}\n${line('}', 1)}\n${line(',"cache_control" : null }', 2)}\n`, '1h');
    assert.equal(
      text,
      `${line(`,${hour} \t}`, 0)}\n${line(`,${hour}}`, 1)}\n${line(',"cache_control" : {"type":"ephemeral","ttl":"1h"} }', 2)}\n`,
    );
  });

  it('ignores marked blocks, and requests with four markers', async () => {
    const markedLine = plain(1).replace(`"system":"${system}"`, `"system":[{"type":"text","text":"${system}",${ephemeral}}]`);
    const { report, text } = await mark(`${plain(0)}\n${markedLine}`, '1h');
    assert.deepEqual(report, { requests: 1, markers: 1, already: 1, full: 0, otherTtl: 0 });
    assert.equal(text.split('\n')[1], markedLine);
    const full = plain(1).replace(
      '"content":"1"',
      `"content":[${[1, 2, 3, 4].map(at => `{"type":"text","text":"${at}",${ephemeral}}`).join()}]`,
    );
    const second = await mark(`${plain(0)}\n${full}`);
    assert.deepEqual(second.report, { requests: 1, markers: 1, already: 0, full: 1, otherTtl: 0 });
    assert.equal(second.text.split('\n')[1], full);
  });

  it('puts no one-hour marker after a five-minute one', async () => {
    const tools = `"tools":[{"name":"t","input_schema":{"type":"object"},${ephemeral}}],"system"`;
    const later = plain(1).replace('"content":"1"', `"content":[{"type":"text","text":"1",${hour}}]`);
    const first = await mark(`${plain(0).replace('"system"', tools)}\n${plain(1).replace('"system"', tools)}`, '1h');
    assert.deepEqual([first.report.markers, first.report.otherTtl], [2, 2]);
    assert.ok(!first.text.includes('1h'));
    const second = await mark(`${plain(0)}\n${later}`, '5m');
    assert.deepEqual([second.report.markers, second.report.otherTtl], [2, 1]);
    assert.equal(second.text.split('\n')[1]?.split(hour).length, 3);
  });

  it('marks all requests that share a prefix, which a second survey confirms without other changes, for any lines', async () => {
    const shared = fc.array(requestLine, { minLength: 1, maxLength: 5 }).map(lines => [...lines, ...lines, ...lines]);
    await fc.assert(
      fc.asyncProperty(shared, fc.constantFrom<'5m' | '1h'>('5m', '1h'), async (lines, ttl) => {
        const { prefixes, report, text } = await mark(lines.join('\n'), ttl, 1);
        if (report.full > 0) {
          return;
        }
        const again = await surveyFile(outPath, { minimumCachedTokens: 1 }, quiet);
        for (const prefix of prefixes) {
          const found = again.prefixes.find(({ id }) => id === prefix.id);
          assert.deepEqual([found?.requests, found?.marked], [prefix.requests, prefix.requests]);
        }
        assert.equal(report.markers === 0, text === lines.join('\n'));
        const marked = text.split('\n');
        for (const [index, line] of lines.entries()) {
          assert.deepEqual(withoutMarkers(JSON.parse(marked[index] ?? '')), withoutMarkers(JSON.parse(line)));
          assert.equal(issuesOf(marked[index] ?? ''), 0, line);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('equals the original without its insertions, for any lines without markers', async () => {
    const clean = requestLine.filter(line => !line.includes('cache_control'));
    await fc.assert(
      fc.asyncProperty(fc.array(clean, { minLength: 1, maxLength: 5 }), async lines => {
        const content = [...lines, ...lines].join('\n');
        const { report, text } = await mark(content, '1h', 1);
        const toStrings = (from: string) => from.replace(/\[\{"type":"text","text":("(?:[^"\\]|\\.)*")\}\]/g, '$1');
        assert.equal(toStrings(text.replaceAll(`,${hour}`, '')), toStrings(content));
        assert.equal(text.split(hour).length - 1, report.markers);
      }),
      { numRuns: runs(100) },
    );
  });

  it('copies lines that are too long to be read', async () => {
    const long = `{"a":"${'x'.repeat(34_000_000)}"}`;
    const { report } = await mark(`${plain(0)}\n${long}\n${plain(1)}\n`);
    assert.equal(report.markers, 2);
    assert.ok(readFileSync(outPath).includes(Buffer.from(`\n${long}\n`)));
  });

  it('leaves no files behind when it is canceled or the file changes', async () => {
    writeFileSync(file, `${plain(0)}\n${plain(1)}`);
    const { prefixes } = await survey();
    const target = path.join(folder, 'never.jsonl');
    const source = { path: file, outPath: target, prefixes, ttl: '5m' as const };
    const throwIfAborted = () => {
      throw new Error('enough');
    };
    await assert.rejects(markPrefixes(source, { ...quiet, throwIfAborted }), { message: 'enough' });
    const progress = () => writeFileSync(file, 'x');
    await assert.rejects(markPrefixes(source, { ...quiet, progress }), SourceChangedError);
    assert.ok(!existsSync(target));
  });

  it('writes a primer for each prefix: the marked prefix, no answer, and nothing of the rest', async () => {
    const tool = { name: 't', description: longText(1500, 't'), input_schema: { type: 'object', n: 0 } };
    const turn = (content: unknown, role = 'user') => ({ role, content });
    const inputs: readonly (readonly [object, object[]])[] = [
      [{ system }, [turn('1')]],
      [
        {
          system: [
            { type: 'text', text: 'a' },
            { type: 'text', text: system },
          ],
        },
        [turn('1')],
      ],
      [{ tools: [tool, { ...tool, name: 'u' }] }, [turn('1')]],
      [{ system: 'x', tools: [tool] }, [turn(book), turn([{ type: 'text', text: '1' }])]],
      [
        { thinking: { type: 'enabled', budget_tokens: 1024 } },
        [
          turn([
            { type: 'text', text: book },
            { type: 'text', text: '1' },
          ]),
        ],
      ],
      [{}, [turn(book), turn('Read.', 'assistant'), turn('1')]],
      [{ cache_control: { type: 'ephemeral' } }, [turn(book)]],
      [{ system, mcp_servers: [{ type: 'url', name: 's', url: 'https://host' }], speed: 'fast' }, [turn('1')]],
    ];
    for (const [more, messages] of inputs) {
      const lines = [0, 1, 2].map(index =>
        JSON.stringify({ custom_id: `r${index}`, params: { messages, max_tokens: 2000, model: 'm', ...more } })
          .replace('"1"', `"${index}"`)
          .replace('"n":0', '"n":1.0'),
      );
      writeFileSync(file, lines.join('\n'));
      const { prefixes } = await survey();
      assert.equal(prefixes.length, 1);
      assert.deepEqual(await writePrimer({ path: file, outPath, prefixes, ttl: '1h' }, quiet), { requests: 1 });
      const text = readFileSync(outPath, 'utf8');
      const { problems } = checkRequestLine(text.trimEnd(), 0, contractRules('2026-11-21'));
      assert.deepEqual(
        problems.filter(({ severity }) => severity === 'error'),
        [],
      );
      const primer = JSON.parse(text);
      assert.equal(primer.custom_id, `primer-${prefixes[0]?.id}`);
      assert.equal(primer.params.max_tokens, 0);
      assert.equal(primer.params.messages.at(-1).role, 'user');
      assert.equal(text.split(hour).length, 2, text.slice(-300));
      assert.equal(text.includes('"n":1.0'), text.includes('input_schema'));
      writeFileSync(file, `${text}${lines.join('\n')}`);
      const together = (await survey()).prefixes[0];
      assert.deepEqual([together?.id, together?.requests, together?.firstLine], [prefixes[0]?.id, 4, 0]);
    }
  });

  it('answers the tool calls at the end of a prefix, and reads bare params too', async () => {
    const calls = [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'toolu_1', name: 't', input: { n: 1 } },
      { type: 'tool_use', id: 'toolu_2', name: 't', input: {} },
    ];
    const line = (index: number) =>
      JSON.stringify({
        messages: [
          { content: book, role: 'user' },
          { role: 'assistant', content: calls },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'toolu_1', content: `${index}` },
              { type: 'tool_result', tool_use_id: 'toolu_2' },
            ],
          },
        ],
        model: 'm',
        max_tokens: 9,
      });
    writeFileSync(file, `${line(0)}\n${line(1)}`);
    const { prefixes } = await survey();
    assert.deepEqual(prefixes[0]?.breakpoint, ['messages', 1, 'content', 2]);
    await writePrimer({ path: file, outPath, prefixes, ttl: '5m' }, quiet);
    const text = readFileSync(outPath, 'utf8');
    assert.deepEqual(JSON.parse(text).params.messages, [
      { content: book, role: 'user' },
      { role: 'assistant', content: [calls[0], calls[1], { ...calls[2], cache_control: { type: 'ephemeral' } }] },
      { role: 'user', content: ['toolu_1', 'toolu_2'].map(id => ({ type: 'tool_result', tool_use_id: id })) },
    ]);
    assert.equal(issuesOf(text), 0);
  });

  it('reports that a prefix is gone', async () => {
    writeFileSync(file, `${plain(0)}\n${plain(1)}`);
    const source = {
      path: file,
      outPath: path.join(folder, 'none.jsonl'),
      prefixes: [{ id: '0123456789abcdef', firstLine: 0 }],
      ttl: '1h' as const,
    };
    await assert.rejects(writePrimer(source, quiet), SourceChangedError);
    assert.ok(!existsSync(source.outPath));
  });

  it('runs in threads', async () => {
    const jobs = createJsonlJobs({ threadFile: path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js') });
    writeFileSync(file, `${plain(0)}\n${plain(1)}`);
    const seen: number[] = [];
    const onProgress = ({ doneBytes, totalBytes }: { doneBytes: number; totalBytes: number }) => seen.push(doneBytes / totalBytes);
    const { prefixes } = await jobs.run('surveyFile', { path: file, options: { minimumCachedTokens: 1024 } }, { onProgress });
    assert.deepEqual(await survey(), await jobs.run('surveyFile', { path: file, options: { minimumCachedTokens: 1024 } }));
    assert.equal((await jobs.run('markPrefixes', { path: file, outPath, prefixes, ttl: '1h' }, { onProgress })).markers, 2);
    assert.equal((await jobs.run('writePrimer', { path: file, outPath, prefixes, ttl: '1h' })).requests, 1);
    assert.equal(seen.at(-1), 1);
    const reason = new Error('enough');
    await assert.rejects(
      jobs.run('surveyFile', { path: file, options: { minimumCachedTokens: 1 } }, { signal: AbortSignal.abort(reason) }),
      reason,
    );
    await assert.rejects(
      jobs.run('writePrimer', { path: file, outPath, prefixes: [{ id: '0'.repeat(16), firstLine: 0 }], ttl: '1h' }),
      SourceChangedError,
    );
  });
});

/** Returns the number of issues that the request schemas find in a line. */
function issuesOf(line: string): number {
  const value = JSON.parse(line);
  const result = (value.params === undefined ? messageParamsSchema : batchRequestSchema).safeParse(value);
  return result.error?.issues.length ?? 0;
}

/** Returns a request without cache markers. Replaces strings with equivalent text blocks. */
function withoutMarkers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => {
      if (key === 'cache_control') {
        return undefined;
      }
      return (key === 'content' || key === 'system') && typeof inner === 'string' ? [{ type: 'text', text: inner }] : inner;
    }),
  );
}
