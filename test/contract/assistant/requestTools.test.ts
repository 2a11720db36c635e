import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { AssistantBench } from './assistantBench';

const canary = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';

describe('features/assistant on request files', () => {
  let bench: AssistantBench;

  before(async () => {
    bench = await AssistantBench.start();
  });

  after(() => bench.stop());

  const request = (id: string, content: string, more: object = {}) => ({
    custom_id: id,
    params: { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content }], ...more },
  });

  it('checks a file: counts, problems by rule with their lines, and available fixes', async () => {
    bench.write('checked.jsonl', request('a', 'Hi'), request('a', 'Hi', { temprature: 1 }), '{"custom_id": "c", }', '');
    const { body } = await bench.call('check_requests', { file: 'checked.jsonl' });
    assert.equal(body.requests, 2);
    const rules = body.rules as readonly {
      rule: string;
      count: number;
      examples: readonly { line: number; pointer: string; message: string }[];
    }[];
    const unknown = rules.find(({ rule }) => rule === 'unknown-field') ?? assert.fail(JSON.stringify(rules));
    assert.equal(unknown.examples[0]?.line, 2);
    assert.equal(unknown.examples[0]?.pointer, '/params/temprature');
    const fixes = (body.fixes as readonly { fix: string }[]).map(({ fix }) => fix);
    assert.ok(fixes.includes('unique-id') && fixes.includes('json-commas'), fixes.join());
    assert.match(String(body.advice), /write_requests/);
  });

  it('reports that a file with only warnings can be sent, and the effect of the warnings', async () => {
    bench.write('warned.jsonl', request('a', 'Hi', { stream: true }));
    const { body } = await bench.call('check_requests', { file: 'warned.jsonl' });
    assert.equal((body.problems as { error: number }).error, 0);
    assert.match(String(body.advice), /can be sent, but requests with warnings may fail/);
    bench.write('plain.jsonl', request('a', 'Hi'));
    assert.match(String((await bench.call('check_requests', { file: 'plain.jsonl' })).body.advice), /^The file is ready to send/);
  });

  it('limits the examples of many problems to the requested number', async () => {
    bench.write('many.jsonl', ...Array.from({ length: 400 }, (_, at) => request(`i${at}`, 'Hi', { temprature: 1, max_tokens: -1 })));
    const { body, text } = await bench.call('check_requests', { file: 'many.jsonl', maxProblems: 6 });
    const rules = body.rules as readonly { count: number; examples: readonly unknown[] }[];
    assert.ok(rules.every(({ count, examples }) => count === 400 && examples.length <= 6 && examples.length > 0));
    assert.ok(text.length < 8_000);
  });

  it('estimates tokens, cost if there are prices, and counts sensitive data without quoting it', async () => {
    bench.write('estimated.jsonl', request('a', `The key is ${canary}`), request('b', 'Hello', { model: 'vendor-unpriced-1' }));
    const { body, text } = await bench.call('estimate_batch', { file: 'estimated.jsonl' });
    assert.equal(body.requests, 2);
    assert.equal(body.maxOutputTokens, 128);
    assert.equal(body.currency, 'EUR');
    const [priced, unpriced] = body.models as readonly { model: string; cost: unknown }[];
    assert.deepEqual([priced?.model, typeof priced?.cost, typeof unpriced?.cost], ['vendor-sonnet-5', 'object', 'string']);
    assert.deepEqual((body.found as readonly object[])[0], { pattern: 'api-key', kind: 'secret', count: 1, firstLine: 1 });
    assert.ok(!text.includes(canary));
    assert.match((await bench.call('estimate_batch', { file: 'empty.jsonl' })).text, /File not found in the workspace: empty\.jsonl/);
  });

  it('previews a template on rows, and reports what prevents the build', async () => {
    bench.write('rows.csv', 'id,question', 'a,One?', `b,The key is ${canary}`, 'c,Three?');
    bench.write('good.batch-template.json', request('{{id}}', '{{question}}'));
    bench.write('bad.batch-template.json', request('{{id}}', '{{qestion}}'));
    const { body, text } = await bench.call('preview_build', { rows: 'rows.csv', template: 'good.batch-template.json' });
    assert.deepEqual([body.rows, body.requests, body.requestsWithErrors, body.columns], [3, 3, 0, ['id', 'question']]);
    const samples = body.samples as readonly { row: number; request: { custom_id: string } }[];
    assert.equal(samples[0]?.request.custom_id, 'a');
    assert.equal(samples.at(-1)?.request.custom_id, 'c');
    assert.ok(!text.includes(canary));
    const one = await bench.call('preview_build', { rows: 'rows.csv', template: 'good.batch-template.json', row: 2 });
    assert.deepEqual(
      (one.body.samples as typeof samples).map(({ row, request: { custom_id: id } }) => [row, id]),
      [[2, 'b']],
    );
    const none = await bench.call('preview_build', { rows: 'rows.csv', template: 'good.batch-template.json', row: 4 });
    assert.match(String(none.body.error), /has no row 4: it has 3/);
    const bad = await bench.call('preview_build', { rows: 'rows.csv', template: 'bad.batch-template.json' });
    assert.match(String(bad.body.error), /no column qestion.*Columns of the rows: id, question/);
  });

  it('writes requests from rows only to a new file', async () => {
    bench.write('more.csv', 'id,question', 'a,One?', 'b,Two?');
    bench.write('more.batch-template.json', request('{{id}}', '{{question}}'));
    const input = { rows: 'more.csv', template: 'more.batch-template.json', output: 'built.jsonl' };
    assert.equal((await bench.call('write_requests', input)).body.written, 'built.jsonl');
    const lines = readFileSync(bench.at('built.jsonl'), 'utf8').trim().split('\n');
    assert.deepEqual(
      lines.map(line => JSON.parse(line).custom_id),
      ['a', 'b'],
    );
    assert.match(String((await bench.call('write_requests', input)).body.error), /already exists\. Give another output/);
    assert.match(String((await bench.call('write_requests', { ...input, output: '../out.jsonl' })).body.error), /Nothing was written/);
  });

  it('writes a fixed copy, reports remaining problems, and leaves the file unchanged', async () => {
    const file = bench.write('broken.jsonl', request('same', 'Hi'), request('same', 'Hi again'), '{"custom_id": "c", }');
    const before = readFileSync(file, 'utf8');
    const { body } = await bench.call('write_requests', { file: 'broken.jsonl', fixes: ['unique-id'], output: 'fixed.jsonl' });
    assert.deepEqual([body.written, body.fixes], ['fixed.jsonl', [['unique-id', 1]]]);
    assert.equal(readFileSync(file, 'utf8'), before);
    assert.notEqual(readFileSync(bench.at('fixed.jsonl'), 'utf8'), before);
    const nothing = await bench.call('write_requests', { file: 'fixed.jsonl', fixes: ['unique-id'], output: 'again.jsonl' });
    assert.match(String(nothing.body.error), /None of these fixes would change/);
    const unknown = await bench.call('write_requests', { file: 'broken.jsonl', fixes: ['make-it-good'], output: 'again.jsonl' });
    assert.match(String(unknown.body.error), /Unknown fix: make-it-good/);
    const both = await bench.call('write_requests', { file: 'broken.jsonl', rows: 'more.csv', output: 'again.jsonl' });
    assert.match(String(both.body.error), /Give rows and template/);
    assert.equal(existsSync(bench.at('again.jsonl')), false);
  });

  it('proposes a batch and sends none, whatever happens to the sheet', async () => {
    bench.write('proposed.jsonl', request('a', 'Hi'));
    for (const kind of ['open', 'closed', 'sending', 'failed', 'notShown'] as const) {
      bench.sheetEnd = { kind };
      const { body } = await bench.call('propose_batch', { file: 'proposed.jsonl' });
      assert.equal(body.outcome, kind === 'notShown' ? 'not shown' : kind);
      assert.match(String(body.advice), /\w/);
    }
    bench.sheetEnd = { kind: 'sent', batchIds: ['msgbatch_1'] };
    assert.deepEqual((await bench.call('propose_batch', { file: 'proposed.jsonl' })).body.batches, ['msgbatch_1']);
    assert.deepEqual(bench.sheets, Array(6).fill('proposed.jsonl'));
    assert.deepEqual(bench.changes(), []);
  });

  it('proposes only changed requests, or a sample of the requested size', async () => {
    bench.write('proposed.jsonl', request('a', 'Hi'));
    bench.sheets.length = 0;
    await bench.call('propose_batch', { file: 'proposed.jsonl', only: 'changed' });
    await bench.call('propose_batch', { file: 'proposed.jsonl', only: 'trial' });
    await bench.call('propose_batch', { file: 'proposed.jsonl', only: 'trial', sampleSize: 7 });
    const sized = await bench.call('propose_batch', { file: 'proposed.jsonl', only: 'changed', sampleSize: 7 });
    assert.match(String(sized.body.error), /sampleSize is only for a trial/);
    for (const wrong of [{ only: 'rest' }, { only: 'trial', sampleSize: 0 }, { connection: 'Lab' }]) {
      assert.match(String((await bench.call('propose_batch', { file: 'proposed.jsonl', ...wrong })).body.error), /\w/);
    }
    assert.deepEqual(bench.sheets, ['proposed.jsonl changed', 'proposed.jsonl trial', 'proposed.jsonl trial 7']);
    assert.deepEqual(bench.changes(), []);
  });

  it('shows a line of a file', async () => {
    bench.write('shown.jsonl', request('a', 'Hi'));
    assert.deepEqual((await bench.call('show', { kind: 'file', file: 'shown.jsonl', line: 3 })).body, { shown: 'file' });
    assert.deepEqual(
      bench.shown.map(what => what.kind === 'file' && [what.file.name, what.line]),
      [['shown.jsonl', 3]],
    );
    assert.match(String((await bench.call('show', { kind: 'session' })).body.error), /give session/);
  });

  it('stops when it is canceled', async () => {
    bench.write('large.jsonl', ...Array.from({ length: 2_000 }, (_, at) => request(`i${at}`, 'Hi'.repeat(200))));
    for (const tool of ['check_requests', 'estimate_batch']) {
      const caller = new AbortController();
      const calling = bench.call(tool, { file: 'large.jsonl' }, caller.signal);
      caller.abort();
      await assert.rejects(calling, { name: 'AbortError' });
    }
  });
});
