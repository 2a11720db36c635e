import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { readCsv } from '../../../../src/jsonl/building/csvRows';
import { type ExportSource, exportResults } from '../../../../src/jsonl/exporting/exportResults';
import type { SubmittedFile } from '../../../../src/jsonl/retrying/findSubmitted';
import { runs } from '../../../helpers/runs';
import { errored, makeJoined, quiet, succeeded } from '../querying/joinedFile';
import { englishWords } from './englishWords';

type Joined = Awaited<ReturnType<typeof makeJoined>>;

const cellNames = [
  'id',
  'line',
  'status',
  'stop_reason',
  'error_type',
  'error_message',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'text',
];

async function exported(joined: Joined, source: Pick<ExportSource, 'format'> & Partial<ExportSource>): Promise<string> {
  const outPath = path.join(joined.folder, 'out');
  await exportResults({ ...joined, outPath, words: englishWords, ...source }, quiet);
  return await readFile(outPath, 'utf8');
}

/** Returns the cells, parsed by the project's own CSV reader. */
function csvRows(text: string): readonly (readonly string[])[] {
  const pieces = [text, ''];
  const format = { kind: 'csv', delimiter: ',', hasHeader: true } as const;
  const source = { read: () => pieces.shift() ?? '' };
  const rows = [...readCsv(source, format, problem => assert.fail(JSON.stringify(problem)))];
  return rows.map(({ values }) => [...values.values()].map(cell => JSON.parse(cell)));
}

describe('jsonl/exporting/exportResults', () => {
  const created: Joined[] = [];
  const make = async (...args: Parameters<typeof makeJoined>) => {
    const joined = await makeJoined(...args);
    created.push(joined);
    return joined;
  };

  afterEach(async () => {
    await Promise.all(created.splice(0).map(joined => joined.remove()));
  });

  const some = () =>
    make([
      ['a', succeeded('Hello, "you"\nand you')],
      ['b', errored('=1+1', 'api_error')],
      ['-c', { type: 'expired' }],
      ['d', succeeded('{"z":1,"a":[1]}', { stop: 'max_tokens' })],
    ]);

  it('writes CSV that parses back and contains no formula', async () => {
    const text = await exported(await some(), { format: 'csv' });
    assert.equal(
      text,
      [
        `${cellNames.join(',')}`,
        'a,1,succeeded,end_turn,,,2,3,0,0,"Hello, ""you""\nand you"',
        "b,2,failed,,api_error,'=1+1,0,0,0,0,",
        "'-c,3,expired,,,,0,0,0,0,",
        'd,4,cut short,max_tokens,,,2,3,0,0,"{""z"":1,""a"":[1]}"',
        '',
      ].join('\r\n'),
    );
    assert.ok((await exported(await some(), { format: 'csv', isForExcel: true })).startsWith('\ufeffid,'));
  });

  it('keeps signed numbers', async () => {
    const answers = ['-1', '+1', '-0.25', '-.5', '-1e-3', '-1\n', '+1+1', '-1-cmd', '- first point', '-', '-1 2'];
    const joined = await make(answers.map((text, at) => [`n${at}`, succeeded(text)] as const));
    const cells = csvRows(await exported(joined, { format: 'csv' })).map(row => row.at(-1));
    assert.deepEqual(cells, [...answers.slice(0, 6), ...answers.slice(6).map(text => `'${text}`)]);
  });

  it('has columns for the cache, and for the cost if there are prices', async () => {
    const usage = (more: object) => ({ more: { model: 'm-20251001', usage: { input_tokens: 1_000_000, output_tokens: 10, ...more } } });
    const cache = { cache_read_input_tokens: 100, cache_creation_input_tokens: 30 };
    const joined = await make([
      ['plain', succeeded('x', usage({}))],
      ['cached', succeeded('x', usage({ ...cache, cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 } }))],
      ['open', succeeded('x', usage(cache))],
      ['other', succeeded('x', { more: { model: 'no price' } })],
      ['failed', errored('x')],
    ]);
    const prices = { 'm-20251001': { input: 1, output: 5, read: 0.1, write5m: 1.25, write1h: 2 } };
    const [head = '', ...lines] = (await exported(joined, { format: 'csv', prices })).split('\r\n');
    assert.ok(head.endsWith('output_tokens,cache_read_tokens,cache_write_tokens,cost,text'));
    assert.deepEqual(
      lines.slice(0, -1).map(line => line.split(',').slice(8, 11)),
      [
        ['0', '0', '1.00005'],
        ['100', '30', '1.0001125'],
        ['100', '30', ''],
        ['0', '0', ''],
        ['0', '0', ''],
      ],
    );
  });

  it('cuts what is too long for an Excel cell, reports how much, and keeps it in other formats', async () => {
    const long = `${'x'.repeat(32_766)}\u{1f600}end`;
    const joined = await make([
      ['long', succeeded(long)],
      ['fits', succeeded('x'.repeat(32_767))],
    ]);
    const outPath = path.join(joined.folder, 'out');
    const report = await exportResults({ ...joined, outPath, words: englishWords, format: 'csv', isForExcel: true }, quiet);
    assert.equal(report.overlong, 1);
    const [first, second] = csvRows((await readFile(outPath, 'utf8')).slice(1)).map(row => row.at(-1));
    assert.deepEqual([first, second], [`${'x'.repeat(32_766)}…`, 'x'.repeat(32_767)]);
    for (const format of ['csv', 'json', 'jsonl', 'markdown'] as const) {
      assert.ok((await exported(joined, { format })).includes(long), format);
    }
  });

  it('puts extra fields of requests beside their answers', async () => {
    const joined = await make([
      ['o-1', succeeded('x')],
      ['o-2', succeeded('y')],
    ]);
    const fieldsPath = path.join(joined.folder, 'a.fields.jsonl');
    await writeFile(fieldsPath, '{"custom_id":"o-1","product_id":"sku-1","n":9007199254740993}\nno json\n{"custom_id":"other","late":1}\n');
    const [head = '', first = '', second = ''] = (await exported(joined, { format: 'csv', fieldsPath })).split('\r\n');
    assert.ok(head.endsWith(',text,fields.product_id,fields.n,fields.late'), head);
    assert.ok(first.endsWith(',x,sku-1,9007199254740993,'), first);
    assert.ok(second.endsWith(',y,,,'), second);
    const [line = ''] = (await exported(joined, { format: 'jsonl', fieldsPath })).split('\n');
    assert.ok(line.endsWith(',"fields":{"product_id":"sku-1","n":9007199254740993}}'), line);
    assert.doesNotThrow(() => JSON.parse(line));
    assert.match(await exported(joined, { format: 'markdown', fieldsPath }), /product\\_id: sku-1 · n: 9007199254740993/);
  });

  it('writes the requested rows, in their order', async () => {
    const joined = await some();
    const text = await exported(joined, { format: 'jsonl', rows: Uint32Array.of(3, 0) });
    const lines = (await readFile(joined.joinedPath, 'utf8')).split('\n');
    assert.equal(text, `${lines[3]}\n${lines[0]}\n`);
    assert.equal(await exported(joined, { format: 'json', rows: new Uint32Array() }), '[\n]\n');
    const all: unknown = JSON.parse(await exported(joined, { format: 'json' }));
    assert.deepEqual(
      all,
      lines.slice(0, -1).map(line => JSON.parse(line)),
    );
  });

  it('puts each answer beside its request, and leaves out requests of a changed file', async () => {
    const joined = await some();
    const params = (text: string) => ({ model: 'vendor-opus-5', max_tokens: 5, messages: [{ role: 'user', content: text }] });
    const requests = ['a', 'b', '-c', 'd'].map(id => `{"custom_id":"${id}", "params": ${JSON.stringify(params(`ask ${id}`))}}\n`).join('');
    const sourcePath = path.join(joined.folder, 'requests.jsonl');
    await writeFile(sourcePath, requests);
    const file = {
      path: sourcePath,
      linesPath: joined.linesPath,
      sha256: createHash('sha256').update(requests).digest('hex'),
      isCreated: true,
    };
    const csv = await exported(joined, { format: 'csv', requests: [file], rows: Uint32Array.of(2, 1) });
    assert.match(csv, /text,model,prompt\r\n'-c,3,expired,,,,0,0,0,0,,vendor-opus-5,ask -c\r\nb,.*ask b\r\n$/);
    const jsonl = await exported(joined, { format: 'jsonl', requests: [file] });
    const first: unknown = JSON.parse(jsonl.split('\n')[0] ?? '');
    assert.deepEqual(first, { custom_id: 'a', line: 1, request: params('ask a'), result: succeeded('Hello, "you"\nand you') });
    await writeFile(sourcePath, requests.replace('ask d', 'ask e'));
    const outPath = path.join(joined.folder, 'changed');
    const report = await exportResults({ ...joined, outPath, words: englishWords, format: 'jsonl', requests: [file] }, quiet);
    assert.deepEqual(report, { written: 4, withoutRequest: 4, overlong: 0 });
    assert.equal(await readFile(outPath, 'utf8'), await readFile(joined.joinedPath, 'utf8'));
  });

  it('writes every answer if a list of requests is lost, and names the answers whose request is unknown', async () => {
    const joined = await some();
    const submit = async (name: string, ids: readonly string[], list: string): Promise<SubmittedFile> => {
      const text = ids.map(id => `{"custom_id":"${id}","params":{"messages":"${name}"}}\n`).join('');
      const [file, linesPath] = [path.join(joined.folder, name), path.join(joined.folder, `${name}.tsv`)];
      await Promise.all([writeFile(file, text), writeFile(linesPath, list)]);
      return { path: file, linesPath, sha256: createHash('sha256').update(text).digest('hex'), isCreated: true };
    };
    const oldest = await submit('one', ['a', 'b', 'd'], '0\ta\n1\tb\n2\td\n');
    const damaged = await submit('two', ['b'], '0\tb');
    const newest = await submit('three', ['d'], '0\td\n');
    const outPath = path.join(joined.folder, 'out');
    const source = { ...joined, outPath, words: englishWords, format: 'jsonl', requests: [oldest, damaged, newest] } as const;
    assert.deepEqual(await exportResults(source, quiet), { written: 4, withoutRequest: 3, overlong: 0 });
    assert.deepEqual((await readFile(outPath, 'utf8')).match(/"messages":"\w+"/g), ['"messages":"three"']);
  });

  it('uses requests that the results already contain', async () => {
    const own = await make([]);
    const requests = path.join(own.folder, 'requests.jsonl');
    const line = { custom_id: 'a', params: { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'carried' }] } };
    await writeFile(requests, `${JSON.stringify(line)}\n`);
    const joined = await make([['a', succeeded('x')]], requests);
    assert.match(await exported(joined, { format: 'csv', requests: [] }), /,x,m,carried\r\n$/);
    assert.equal(await exported(joined, { format: 'jsonl', requests: [] }), await readFile(joined.joinedPath, 'utf8'));
  });

  it('writes Markdown in which no answer can imitate a part of the page', async () => {
    const joined = await make([
      ['a', succeeded('# Big\n```\nopen <script>alert(1)</script>')],
      ['b', errored('## no `x`')],
      ['d', succeeded('{"fence":"```"}', { stop: 'max_tokens' })],
    ]);
    assert.equal(
      await exported(joined, { format: 'markdown' }),
      [
        ...['# Results', '', '## a', '', 'line 1 · succeeded · end\\_turn · input tokens: 2 · output tokens: 3', ''],
        ...['### Answer', '', '> # Big', '> ```', '> open <script>alert(1)</script>', '> ```', '', '## b', ''],
        ...['line 2 · failed · invalid\\_request\\_error ⚠', '', '### Error', '', '> ## no `x`', '', '## d', ''],
        ...['line 3 · cut short · max\\_tokens · input tokens: 2 · output tokens: 3 ⚠', '', '### Answer', ''],
        ...['````json', '{', '  "fence": "```"', '}', '````', ''],
      ].join('\n'),
    );
  });

  it('masks secrets in every format', async () => {
    const refusal = { stop_details: { fallback_credit_token: 'fct_secret', other: 1.5 } };
    const joined = await make([['a', succeeded('no', { stop: 'refusal', more: refusal })]]);
    const params = `{"model":"m","max_tokens":1,"messages":[],"tools":[{"input_schema":{"properties":{"password":{"type":"string"}}}}],"fallback_credit_token":{"token":"fct_secret","mode":"strict"},"mcp_servers":[{"authorization_token":"se\\"cret","url":"https://u:secret@h/"}]}`;
    const requests = `{"custom_id":"a","params":${params}}\n`;
    const sourcePath = path.join(joined.folder, 'requests.jsonl');
    await writeFile(sourcePath, requests);
    const file = {
      path: sourcePath,
      linesPath: joined.linesPath,
      sha256: createHash('sha256').update(requests).digest('hex'),
      isCreated: true,
    };
    for (const format of ['csv', 'json', 'markdown', 'jsonl'] as const) {
      const text = await exported(joined, { format, requests: [file] });
      assert.doesNotMatch(text, /secret@|fct_secret|se\\"cret/, format);
    }
    const [line = ''] = (await exported(joined, { format: 'jsonl', requests: [file] })).split('\n');
    assert.deepEqual((JSON.parse(line) as { request: object }).request, {
      model: 'm',
      max_tokens: 1,
      messages: [],
      tools: [{ input_schema: { properties: { password: { type: 'string' } } } }],
      fallback_credit_token: '[hidden]',
      mcp_servers: [{ authorization_token: '[hidden]', url: 'https://u:[hidden]@h/' }],
    });
  });

  it('keeps every text completely in CSV, JSON and JSONL', async () => {
    const piece = fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '\t',
      '\r',
      '\n',
      '"',
      ',',
      ' ',
      "'",
      'a',
      'é',
      '\u{1f600}',
      '\ud800',
      '\u2028',
      '\0',
      '＝',
    );
    const text = fc.array(piece, { maxLength: 8 }).map(parts => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 8 }), async answers => {
        const joined = await makeJoined(answers.map(([words, isError], at) => [`id-${at}`, isError ? errored(words) : succeeded(words)]));
        try {
          const csv = await exported(joined, { format: 'csv' });
          const rows = csvRows(csv);
          assert.equal(rows.length, answers.length);
          rows.forEach((cells, at) => {
            const [words, isError] = answers[at] ?? assert.fail();
            const cell = cells[isError ? 5 : 10] ?? '';
            assert.ok(cells.every(value => !/^(?:[\t\r]|[\s\0]*[=+\-@＝＋－＠])/.test(value ?? '')));
            const plain = words.toWellFormed();
            assert.ok(cell === plain || cell === `'${plain}`, cell);
          });
          const values = JSON.parse(await exported(joined, { format: 'json' })) as unknown[];
          const lines = (await exported(joined, { format: 'jsonl' })).split('\n').slice(0, -1);
          assert.deepEqual(
            lines.map(line => JSON.parse(line)),
            values,
          );
          values.forEach((value, at) => {
            const [words, isError] = answers[at] ?? assert.fail();
            assert.deepEqual((value as { result: unknown }).result, isError ? errored(words) : succeeded(words));
          });
        } finally {
          await joined.remove();
        }
      }),
      { numRuns: runs(25) },
    );
  });

  it('accepts an answer longer than one read, and leaves no files behind when it is canceled', async () => {
    // Longer than two reads of 1 MiB.
    const long = `=${'long "words",\n'.repeat(160_000)}`;
    const joined = await make([['a', succeeded(long)]]);
    const [cells] = csvRows(await exported(joined, { format: 'csv' }));
    assert.equal(cells?.[10], `'${long}`);
    const before = await readdir(joined.folder);
    const cancelled = {
      ...quiet,
      throwIfAborted: () => {
        throw new DOMException('cancelled', 'AbortError');
      },
    };
    const outPath = path.join(joined.folder, 'none');
    await assert.rejects(exportResults({ ...joined, outPath, words: englishWords, format: 'csv' }, cancelled), { name: 'AbortError' });
    assert.deepEqual(await readdir(joined.folder), before);
  });
});
