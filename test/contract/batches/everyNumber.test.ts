import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nameOfResults } from '../../../src/features/batches/api';
import { BatchStore } from '../../../src/features/batches/batchStore';
import { toResultChoices } from '../../../src/features/batches/chooseRun';
import { toRunPage } from '../../../src/features/batches/details/batchDetails';
import { describeResults } from '../../../src/features/batches/fetching/fetchMessages';
import { fetchResults } from '../../../src/features/batches/fetching/fetchResults';
import { updateResultsFile } from '../../../src/features/batches/fetching/resultsFile';
import { proposedAct, retrySourcesOf } from '../../../src/features/batches/retrying/retryPresentation';
import * as cost from '../../../src/features/batches/runCost';
import { describeEnd, presentRun } from '../../../src/features/batches/runPresentation';
import { readTokenHistory } from '../../../src/features/batches/sheet/prediction';
import { presentStatus } from '../../../src/features/batches/watching/statusPresentation';
import { noteRetryFile, type Run, runOf, toRuns } from '../../../src/features/ledger/runs';
import type { Submission } from '../../../src/features/ledger/submission';
import { submissionFiles } from '../../../src/features/ledger/submissionFile';
import { toSides } from '../../../src/features/results/comparing/compareCommand';
import { comparedCost, numberRows } from '../../../src/features/results/comparing/comparePresentation';
import { toHead } from '../../../src/features/results/panel/headPresentation';
import { ResultsTable } from '../../../src/features/results/table/resultsTable';
import { toPictures } from '../../../src/features/results/table/toPictures';
import type { JoinedResults } from '../../../src/jsonl/results/joinedResults';
import { englishWords } from '../../unit/jsonl/exporting/englishWords';
import { Bench, linesOf } from './batchBench';
import { type Numbers, readNumbers } from './readNumbers';

const requests = 200;
const models = ['vendor-haiku-4-5', 'vendor-haiku-4-5-20251001', 'vendor-opus-4-5'];
/** The dated model has the price of its alias. */
const prices = new Map([
  ['vendor-haiku-4-5', { input: 0.5, output: 2.5 }],
  ['vendor-opus-4-5', { input: 2.5, output: 12.5 }],
]);
const priceOf = (model: string) => prices.get(model) ?? prices.get('vendor-haiku-4-5') ?? assert.fail();
const translate = (text: string, ...args: readonly (string | number)[]) => text.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)]));
const context = { translate, locale: 'en', now: Date.now(), currency: 'USD', prices };

describe('counts on every surface', () => {
  const bench = new Bench({ batchDuration: 0, erroredPercent: 6, cutShortPercent: 22 }, { once: true });
  const { jobs } = bench;
  const { signal } = new AbortController();
  let { folder, registry } = bench;
  let file: string;
  let first: Submission;
  let again: Submission;
  let numbers: Numbers;

  before(async () => {
    ({ folder, registry } = bench);
    file = bench.file('tickets.jsonl');
    const requestOf = (place: number) => ({
      custom_id: `ticket-${place}`,
      params: { model: models[place % models.length], max_tokens: 64, messages: [{ role: 'user', content: `Sort ticket ${place}.` }] },
    });
    writeFileSync(file, linesOf(Array.from({ length: requests }, (_, place) => requestOf(place))));
    first = await fetch(await send(file), 'tickets.results.jsonl');
    numbers = readNumbers(readFileSync(rawOf(first), 'utf8'), priceOf);
    await fetch(await send(await writeRetry(first)), 'tickets.retry.results.jsonl');
    again = await fetch(await send(file), 'tickets.results-2.jsonl');
    const merged = await updateResultsFile({ jobs, registry, log: { info: () => undefined } }, runNamed(first));
    assert.equal(merged?.results.report.counts.succeeded, now(first).merged?.report.counts.succeeded);
  });

  const inFolder = ({ id }: Submission, name: string) => path.join(registry.folder(id), name);
  const rawOf = (submission: Submission) => inFolder(submission, submissionFiles.rawResults);
  const joinedOf = (submission: Submission): JoinedResults => ({
    joinedPath: now(submission).results?.joinedPath ?? assert.fail(),
    indexPath: inFolder(submission, submissionFiles.resultsIndex),
  });
  const now = ({ id }: Submission): Submission => registry.find(id) ?? assert.fail();
  const runNamed = (submission: Submission): Run => runOf(registry.all(), now(submission)) ?? assert.fail();
  const reportOf = (submission: Submission) => now(submission).results?.report ?? assert.fail();
  const dollars = (amount: number) => cost.toMoney(amount, 'USD', 'en', 'nearest');
  /** Returns the counts of the independent reader as text: `144 succeeded, 44 cut short`. */
  const wordsOf = ({ statuses }: Numbers) =>
    ['succeeded', 'cut short', 'refused', 'empty', 'failed', 'expired', 'canceled']
      .flatMap(status => (statuses[status] === undefined ? [] : [`${statuses[status]} ${status}`]))
      .join(', ');

  async function send(source: string): Promise<Submission> {
    const outcome = await bench.submit(source, { knownBefore: new Set(registry.all().map(({ id }) => id)) });
    assert.ok(outcome.kind === 'created', JSON.stringify(outcome));
    return outcome.submission;
  }

  /** Fetches and joins results, after replacing some answers with answers that the emulator never gives. */
  async function fetch(submission: Submission, name: string): Promise<Submission> {
    const { client } = bench;
    await bench.emulator.advanceClock(1_000);
    const { data: batch } = await client.batches.retrieve(submission.batchId ?? '');
    const joinedPath = path.join(folder, name);
    const paths = { joinedPath, indexPath: inFolder(submission, submissionFiles.resultsIndex) };
    const linesPath = inFolder(submission, submissionFiles.lines);
    const rawPath = rawOf(submission);
    await fetchResults({ client, batch, jobs, rawPath, linesPath, ...paths });
    writeFileSync(rawPath, readFileSync(rawPath, 'utf8').split('\n').map(toOdd).join('\n'));
    const { report } = await jobs.run('joinResults', { rawPath, linesPath, ...paths }, { signal });
    assert.ok(report.complete);
    return await registry.update(submission.id, { batch, results: { joinedPath, fetchedAt: new Date().toISOString(), report } });
  }

  /** Makes the answer of a line empty or refused, or adds cached tokens to it, depending on the number in the line's id. */
  function toOdd(line: string): string {
    const parsed = line === '' ? undefined : JSON.parse(line);
    if (parsed?.result.type !== 'succeeded') {
      return line;
    }
    const number = Number(/\d+/.exec(parsed.custom_id)?.[0]);
    const { message } = parsed.result;
    if (message.stop_reason === 'end_turn' && number % 16 === 5) {
      message.content =
        number % 32 === 5
          ? []
          : [
              { type: 'thinking', thinking: 'hm', signature: '' },
              { type: 'text', text: ' \n' },
            ];
    } else if (message.stop_reason === 'end_turn' && number % 16 === 9) {
      message.stop_reason = 'refusal';
    }
    const [short, long] = [number % 3 === 0 ? 4000 : 0, number % 4 === 0 ? 3000 : 0];
    message.usage.cache_read_input_tokens = number % 5 === 0 ? 7000 : 0;
    message.usage.cache_creation_input_tokens = short + long;
    message.usage.cache_creation = { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long };
    return JSON.stringify(parsed);
  }

  async function writeRetry(submission: Submission): Promise<string> {
    const sources = retrySourcesOf(toRuns(registry.all()), runNamed(submission), registry) ?? assert.fail();
    const plan = await jobs.run('planRetry', { ...sources.plan, mostTokens: [], now: Date.now() });
    const { statuses } = numbers;
    assert.equal(plan.kept, statuses.succeeded, 'what the plan keeps');
    assert.equal(
      plan.groups.reduce((sum, { count }) => sum + count, 0),
      requests - (statuses.succeeded ?? 0),
      'what the plan offers',
    );
    const outPath = path.join(folder, 'tickets.retry.jsonl');
    const groups = plan.groups.map(group => ({ change: proposedAct(group).change, places: group.places }));
    const { sha256 } = await jobs.run('writeRetry', { files: sources.plan.files, groups, outPath });
    await noteRetryFile(registry, submission.id, { source: `file://${outPath}`, sha256 });
    return outPath;
  }

  it('has a file with every status', () => {
    assert.deepEqual(Object.keys(numbers.statuses).sort(), ['cut short', 'empty', 'failed', 'refused', 'succeeded']);
    assert.deepEqual(Object.keys(numbers.models).sort(), [...models].sort());
  });

  it('show one sum in the toast, the row, the notification, the status bar and the lens', () => {
    const words = wordsOf(numbers);
    const report = reportOf(first);
    const run = runNamed(first);
    assert.equal(describeResults('tickets.jsonl', report, context), `Results of tickets.jsonl: ${words}.`);
    const store = new BatchStore(registry);
    store.reset(run.connection);
    const row = store.leaves().find(one => one.run.id === run.id);
    assert.ok(row && presentRun(row, context).description.startsWith(`${words} · `));
    assert.equal(describeEnd(run, context), `The batch of tickets.jsonl has ended: ${words}.`);
    const status = presentStatus({ running: [], ended: [run], unknown: [] }, context);
    assert.ok(status?.tooltip[0]?.includes(`: ${words} · `));
  });

  it('list as many rows of each status as stated, with the sums of their tokens', async () => {
    const table = await ResultsTable.open(joinedOf(first), reportOf(first), jobs);
    const all = await table.arrange('', undefined, { signal });
    assert.deepEqual([all.count, all.inputTokens, all.outputTokens], [requests, numbers.inputTokens, numbers.outputTokens]);
    for (const [status, count] of Object.entries(numbers.statuses)) {
      const { count: listed } = await table.arrange(`status=${status.replace(' ', '_')}`, undefined, { signal });
      assert.equal(listed, count, status);
    }
    const others = await table.arrange('status!=succeeded', undefined, { signal });
    assert.equal(others.count, requests - (numbers.statuses.succeeded ?? 0));
    const pictures = toPictures(await table.survey('', { signal }), { translate, locale: 'en', query: '' });
    const bars = (name: string) =>
      Object.fromEntries(pictures.find(one => one.name === name)?.bars.map(({ label, count }) => [label.toLowerCase(), count]) ?? []);
    assert.deepEqual(bars('Status'), numbers.statuses);
    assert.deepEqual(bars('Models'), numbers.models);
  });

  it('show the same cost above the table, on the batch page, in the list of runs and beside the estimate', async () => {
    const report = reportOf(first);
    const exact = cost.costOfReport(report, models, prices) ?? assert.fail();
    assert.ok(cost.isExact(exact));
    const words = cost.describeCost(exact, context);
    assert.equal(words, dollars(numbers.cost));
    const facts = { connection: 'Lab', batchIds: [], parts: 1, fetchedAt: undefined, problem: undefined };
    const head = toHead({ ...facts, name: 'tickets.jsonl', report }, { translate, locale: 'en', cost: words });
    assert.deepEqual(head.facts, [words]);
    const chips = head.chips.slice(1).map(({ label, count }) => [label.toLowerCase(), count]);
    assert.deepEqual(Object.fromEntries(chips), numbers.statuses);
    assert.equal(
      cost.actualCost(runOf(registry.all(), now(first)) ?? assert.fail(), prices)?.low,
      cost.costOfReport(reportOf(again), models, prices)?.low,
    );
    const submission = now(first);
    const place = { name: 'Lab', host: 'lab' };
    const run = runNamed(first);
    const page = toRunPage({ run, parts: [] }, submission.batch, place, context, { links: [], cost: words }).replaceAll('\\', '');
    assert.ok(page.includes(`| Cost | ${words} |`));
    for (const [status, count] of Object.entries(numbers.statuses)) {
      assert.ok(page.includes(`| ${status[0]?.toUpperCase()}${status.slice(1)} | ${count} |`), status);
    }
  });

  it('judge as many answers passed as succeeded, and the others by their status', async () => {
    const { groups } = await jobs.run('judgeResults', joinedOf(first), { signal });
    const found: Record<string, number> = {};
    for (const { kind, count } of groups) {
      const status = kind === 'passed' ? 'succeeded' : kind.replace('_', ' ');
      found[status] = (found[status] ?? 0) + count;
    }
    assert.deepEqual(found, numbers.statuses);
  });

  it('export as many of each status', async () => {
    const outPath = path.join(folder, 'export.csv');
    await jobs.run('exportResults', { ...joinedOf(first), format: 'csv', outPath, words: englishWords }, { signal });
    const found: Record<string, number> = {};
    for (const record of readFileSync(outPath, 'utf8').split('\r\n').slice(1, -1)) {
      const status = record.split(',')[2] ?? '';
      found[status] = (found[status] ?? 0) + 1;
    }
    assert.deepEqual(found, numbers.statuses);
  });

  it('compare exactly the chosen runs: the first one and its repetition', async () => {
    const alone = { run: runNamed(first), withRetries: false };
    const [before, after] = await toSides({ registry, jobs, signal }, alone, { run: runNamed(again), withRetries: false });
    const comparison = await jobs.run('compareResults', { before: before.results, after: after.results }, { signal });
    assert.deepEqual(comparison.counts, { regressed: 0, lost: 0, changed: 0, fixed: 0, added: 0, same: requests });
    assert.match(before.facts.title, /^tickets\.jsonl \(All 200, /);
    const spent = comparedCost(comparison, [models, models], context) ?? assert.fail();
    assert.deepEqual(spent, [dollars(numbers.cost), `${dollars(numbers.cost)} (+0 %)`]);
    const rows = numberRows(comparison, { translate, locale: 'en', cost: spent });
    const shown = (sum: number) => sum.toLocaleString('en');
    assert.deepEqual([rows[0]?.before, rows[0]?.after], [shown(numbers.inputTokens), `${shown(numbers.inputTokens)} (+0 %)`]);
    assert.deepEqual([rows[1]?.before, rows[1]?.after], [shown(numbers.outputTokens), `${shown(numbers.outputTokens)} (+0 %)`]);
  });

  it('offer a run with its retries as another choice, with its own name', async () => {
    const runs = toRuns(registry.all());
    const names = toResultChoices(runs).map(choice => nameOfResults(choice, runs, context).replace(/, .*\)/, ')'));
    assert.deepEqual(names.sort(), [
      ...['tickets.jsonl (All 200)', 'tickets.jsonl (All 200)', 'tickets.jsonl with its retries', 'tickets.retry.jsonl (Retry of 79)'],
    ]);
    const [alone, together] = await toSides(
      { registry, jobs, signal },
      { run: runNamed(first), withRetries: true },
      { run: runNamed(first), withRetries: false },
    );
    assert.deepEqual([alone.withRetries, together.withRetries], [false, true]);
    assert.equal(together.facts.title, 'tickets.jsonl with its retries');
  });

  it("use the file's history for each of its models", async () => {
    const past = await readTokenHistory({ registry, jobs }, { source: `file://${file}`, connection: 'Lab' }, signal);
    const answers = numbers.models['vendor-opus-4-5'] ?? 0;
    const runs = past.get('vendor-opus-4-5') ?? assert.fail();
    // The retry is also a run of the file, with fewer answers.
    assert.ok(runs.every(({ isOfFile }) => isOfFile));
    assert.equal(runs.filter(run => run.answers === answers).length, [first, again].length);
    assert.equal(past.get('vendor-sonnet-5'), undefined);
  });
});
