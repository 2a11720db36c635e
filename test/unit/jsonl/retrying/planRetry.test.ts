import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planRetry, type RetryGroup } from '../../../../src/jsonl/retrying/planRetry';
import { writeRetry } from '../../../../src/jsonl/retrying/writeRetry';
import { errored, quiet, RetryFiles, succeeded } from './retryFiles';

const request = (id: string, maxTokens = 100, model = 'm') =>
  JSON.stringify({ custom_id: id, params: { model, max_tokens: maxTokens, messages: [{ role: 'user', content: 'Say it.' }] } });
const textOf = (ids: readonly string[]) => ids.map(id => `${request(id)}\n`).join('');
const summaryOf = (group: RetryGroup | undefined) =>
  group && [group.kind, group.errorType, group.action, group.isSensible, group.count, [...group.lines]];

describe('jsonl/retrying/planRetry', () => {
  let files: RetryFiles;

  beforeEach(() => {
    files = new RetryFiles(mkdtempSync(path.join(tmpdir(), 'plan-retry-')));
  });

  afterEach(() => rmSync(files.folder, { recursive: true, force: true }));

  it('groups requests without a good result by cause, with a remedy', async () => {
    const file = files.submit('a', textOf(['ok', 'bad1', 'late', 'bad2', 'cut', 'no', 'none', 'off', 'odd', '__proto__']));
    const plan = await planRetry(
      await files.plan(
        [file],
        [
          ['ok', succeeded('end_turn')],
          ['bad2', errored('invalid_request_error', 'messages.17: text is empty (req_011CSHoEeqs5C35K2UUqR7Fy)')],
          ['bad1', errored('invalid_request_error', 'messages.4: text is empty (req_011CSHoEeqs5C35K2UUqR7Fz)')],
          ['late', { type: 'expired' }],
          ['off', { type: 'canceled' }],
          ['cut', succeeded('max_tokens')],
          ['no', succeeded('refusal')],
          ['odd', { type: 'new' }],
          ['__proto__', errored('overloaded_error', 'Overloaded')],
        ],
      ),
      quiet,
    );
    assert.equal(plan.kept, 1);
    assert.deepEqual(plan.changedFiles, []);
    assert.deepEqual([...plan.groups].sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0)).map(summaryOf), [
      ['failed', 'invalid_request_error', 'edit', false, 2, [1, 3]],
      ['expired', undefined, 'resend', true, 1, [2]],
      ['cut_short', undefined, 'raise_max_tokens', true, 1, [4]],
      ['refused', undefined, 'edit', false, 1, [5]],
      ['missing', undefined, 'resend', true, 1, [6]],
      ['canceled', undefined, 'resend', true, 1, [7]],
      ['other', undefined, 'resend', false, 1, [8]],
      ['failed', 'overloaded_error', 'resend', true, 1, [9]],
    ]);
    assert.equal(plan.groups[0]?.count, 2, 'the largest first');
    assert.ok(plan.groups[0]?.message.startsWith('messages.…: text is empty'), plan.groups[0]?.message);
  });

  it('groups long messages whose varying part is in any script', async () => {
    const file = files.submit('a', textOf(['a', 'b']));
    const message = (quoted: string) => errored('invalid_request_error', `messages: text "${quoted.repeat(450)}" is not allowed`);
    const results = [['a', message('日本')] as const, ['b', message('\u0001漢')] as const];
    const { groups } = await planRetry(await files.plan([file], results), quiet);
    assert.deepEqual(
      groups.map(({ message, count }) => [message, count]),
      [['messages: text … is not allowed', 2]],
    );
  });

  it('fails if an error message is no longer in the file of results', async () => {
    const file = files.submit('a', textOf(['a']));
    const source = await files.plan([file], [['a', errored('api_error', 'Words of an error')]]);
    writeFileSync(source.joinedPath, files.read('joined').replace('"Words of an error"', '0123456789012345678'));
    await assert.rejects(planRetry(source, quiet), { name: 'IndexMismatchError' });
  });

  it('reports the models and the limits of their max_tokens', async () => {
    const lines = [request('ok'), request('a', 100), request('b', 300), request('c', 50, 'other')];
    const file = files.submit('a', `${lines.join('\n')}\n`);
    const source = await files.plan(
      [file],
      [['ok', succeeded('end_turn')], ...['a', 'b', 'c'].map(id => [id, { type: 'expired' }] as const)],
    );
    const { groups } = await planRetry(source, quiet);
    assert.deepEqual(groups[0]?.models, [
      { model: 'm', requests: 2, minOfOne: 100, maxOfOne: 300 },
      { model: 'other', requests: 1, minOfOne: 50, maxOfOne: 50 },
    ]);
  });

  it("proposes more max_tokens within the model's limit, and an edit at the limit", async () => {
    const file = files.submit('a', `${request('a', 1000)}\n${request('b', 600)}\n`);
    const results = [['a', succeeded('max_tokens')] as const, ['b', succeeded('max_tokens')] as const];
    const remedies: unknown[] = [];
    for (const mostTokens of [[], [['m', 1500]], [['m', 1000]]] as (readonly [string, number])[][]) {
      const { groups } = await planRetry(await files.plan([file], results, { mostTokens }), quiet);
      remedies.push(groups.map(({ action, remedy, maxAllowed, count }) => [action, remedy, maxAllowed, count]));
    }
    assert.deepEqual(remedies, [
      [['raise_max_tokens', { kind: 'raise_max_tokens', to: 2048 }, undefined, 2]],
      [['raise_max_tokens', { kind: 'raise_max_tokens', to: 1500 }, 1500, 2]],
      [
        ['edit', undefined, 1000, 1],
        ['raise_max_tokens', { kind: 'raise_max_tokens', to: 1000 }, 1000, 1],
      ],
    ]);
  });

  it('groups answers that were cut short, each raised by its own value and model', async () => {
    const lines = [request('small', 64), request('large', 32_000), request('full', 8192, 'small'), request('free', 1024, 'other')];
    const file = files.submit('a', `${lines.join('\n')}\n${request('gone', 64)}\n`);
    const cut = ['small', 'large', 'full', 'free', 'gone'].map(id => [id, succeeded('max_tokens')] as const);
    const source = await files.plan([file], cut, {
      mostTokens: [
        ['m', 64_000],
        ['small', 8192],
        ['other', 64_000],
      ],
    });
    writeFileSync(file.path, `${lines.join('\n')}\n`);
    const { groups } = await planRetry(source, quiet);
    const bounds = [
      ['m', 64_000],
      ['other', 64_000],
    ];
    assert.deepEqual(
      groups.map(({ lines: found, remedy, isSensible, maxAllowed, count, gone, rows }) => [
        ...[[...found], remedy, isSensible, maxAllowed],
        ...[count, gone, rows],
      ]),
      [
        [[0, 1, 3], { kind: 'raise_each', bounds, least: 256, most: 64_000 }, true, 64_000, 4, 1, [0, 1, 3, 4]],
        [[2], undefined, false, 8192, 1, 0, [2]],
      ],
    );
    assert.equal(new Set(groups.map(({ key }) => key)).size, 2);
  });

  it('groups requests with the same remedy, whatever their models allow', async () => {
    const file = files.submit('a', `${request('a', 1024)}\n${request('b', 1000, 'other')}\n${request('c', 900, 'unbound')}\n`);
    const cut = ['a', 'b', 'c'].map(id => [id, succeeded('max_tokens')] as const);
    const mostTokens: (readonly [string, number])[] = [
      ['m', 64_000],
      ['other', 8192],
    ];
    const { groups } = await planRetry(await files.plan([file], cut, { mostTokens }), quiet);
    assert.deepEqual(
      groups.map(({ lines, remedy, maxAllowed }) => [[...lines], remedy, maxAllowed]),
      [[[0, 1, 2], { kind: 'raise_max_tokens', to: 2048 }, 8192]],
    );
  });

  it('finds requests by ID in a changed file, and reports missing ones', async () => {
    const file = files.submit('a', textOf(['a', 'b', 'c']));
    writeFileSync(file.path, `\n${request('new')}\n${request('c', 7)}\n${request('a')}\n`);
    const source = await files.plan(
      [file],
      ['a', 'b', 'c'].map(id => [id, { type: 'expired' }] as const),
    );
    const { groups, changedFiles } = await planRetry(source, quiet);
    assert.deepEqual([...(groups[0]?.lines ?? [])], [2, 3]);
    assert.deepEqual([groups[0]?.gone, changedFiles], [1, [0]]);
  });

  it('treats bare params of a changed file as missing: their IDs identify nothing', async () => {
    const text = '{"model":"m","max_tokens":5,"messages":[]}\n';
    const file = files.submit('a', text);
    const source = await files.plan([file], [['line-1', { type: 'expired' }]]);
    assert.deepEqual([...((await planRetry(source, quiet)).groups[0]?.lines ?? [])], [0]);
    writeFileSync(file.path, ` ${text}`);
    assert.equal((await planRetry(source, quiet)).groups[0]?.gone, 1);
    rmSync(file.path);
    assert.equal((await planRetry(source, quiet)).groups[0]?.gone, 1);
  });

  it('takes a request from the newest file that contains it', async () => {
    const first = files.submit('a', textOf(['a', 'b']));
    const second = files.submit('b', `${request('b', 999)}\n`);
    const source = await files.plan(
      [first, second],
      [
        ['a', { type: 'expired' }],
        ['b', { type: 'expired' }],
      ],
    );
    const { groups } = await planRetry(source, quiet);
    assert.deepEqual([...(groups[0]?.places ?? [])], [0, 0, 1, 0]);
    assert.equal(groups[0]?.models[0]?.maxOfOne, 999);
  });

  it('plans nothing of a file without its list of lines, whose batch was never created', async () => {
    const sent = files.submit('a', textOf(['a', 'b']));
    const cut = { ...files.submit('b', textOf(['b', 'c'])), isCreated: false };
    const source = await files.plan([sent, cut], [['a', { type: 'expired' }]], {
      underWay: [{ linesPath: cut.linesPath, isCreated: false }],
    });
    rmSync(cut.linesPath);
    const { groups, underWay } = await planRetry(source, quiet);
    assert.deepEqual([...groups.flatMap(({ places }) => [...places]).sort(), underWay], [0, 0, 0, 1, 0]);
    const places = Uint32Array.of(0, 0, 0, 1, 1, 0);
    const written = await writeRetry({ files: [sent, cut], groups: [{ change: undefined, places }], outPath: files.path('out') }, quiet);
    assert.deepEqual([written.written, written.gone, files.read('out')], [2, 1, textOf(['a', 'b'])]);
  });

  it('plans no request that the lost list of a newer batch can have in another version', async () => {
    const sent = files.submit('a', textOf(['a', 'b', 'd']));
    const lost = files.submit('b', textOf(['b', 'c']).replaceAll('100', '99'));
    const newest = files.submit('c', textOf(['d']));
    const results = ['a', 'b', 'c', 'd'].map(id => [id, { type: 'expired' }] as const);
    const source = await files.plan([sent, lost, newest], results);
    for (const lose of [() => writeFileSync(lost.linesPath, 'damaged'), () => rmSync(lost.linesPath)]) {
      lose();
      const [group] = (await planRetry(source, quiet)).groups;
      assert.deepEqual([group?.count, group?.gone, group?.unknown, [...(group?.places ?? [])]], [4, 0, 3, [2, 0]]);
    }
    const parts = await files.plan([sent, { ...lost, sha256: sent.sha256 }], results.slice(0, 3));
    const [group] = (await planRetry(parts, quiet)).groups;
    assert.deepEqual([group?.unknown, [...(group?.places ?? [])]], [1, [0, 0, 0, 1]]);
  });

  it('fails without the list of lines of a created batch, whose requests could be paid twice', async () => {
    const sent = files.submit('a', textOf(['a', 'b']));
    const again = files.submit('b', textOf(['b']));
    const source = await files.plan([sent], [['a', { type: 'expired' }]], { underWay: [{ linesPath: again.linesPath, isCreated: true }] });
    rmSync(again.linesPath);
    await assert.rejects(planRetry(source, quiet), { name: 'LineMapError', message: /is missing/ });
  });

  it('ignores requests of a running batch', async () => {
    const file = files.submit('a', textOf(['a', 'b', 'ok']));
    const again = files.submit('b', textOf(['b', 'ok']));
    const source = await files.plan(
      [file],
      [
        ['a', { type: 'expired' }],
        ['b', { type: 'expired' }],
        ['ok', succeeded('end_turn')],
      ],
      { underWay: [{ linesPath: again.linesPath, isCreated: true }] },
    );
    const plan = await planRetry(source, quiet);
    assert.deepEqual([plan.underWay, plan.kept, plan.groups.map(summaryOf)], [1, 1, [['expired', undefined, 'resend', true, 1, [0]]]]);
  });

  it('shows until when a fallback credit may be valid, without the token', async () => {
    const file = files.submit('a', textOf(['a', 'b']));
    const details = { type: 'refusal', fallback_credit_token: 'fct_secret', recommended_model: 'vendor-opus-5' };
    const results = [['a', succeeded('refusal', { stop_details: details })] as const, ['b', succeeded('refusal')] as const];
    const endedAt = 1_000_000;
    const credits: unknown[] = [];
    for (const now of [endedAt, endedAt + 299_999, endedAt + 300_000]) {
      const plan = await planRetry(await files.plan([file], results, { endedAt, now }), quiet);
      assert.ok(!JSON.stringify(plan).includes('fct_secret'));
      credits.push(plan.groups[0]?.credit);
    }
    const models = ['vendor-opus-5'];
    assert.deepEqual(credits, [
      { count: 1, usableUntil: endedAt + 300_000, models },
      { count: 1, usableUntil: endedAt + 300_000, models },
      { count: 1, usableUntil: undefined, models },
    ]);
  });
});
