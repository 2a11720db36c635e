import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dialects } from '../../src/client/dialect';
import { createServiceClient, type ServiceClient } from '../../src/client/serviceClient';
import { ServiceError } from '../../src/client/transport/errors';
import { type Emulator, startEmulator } from '../../src/emulator/server';
import { type BatchSearchResult, searchForBatch } from '../../src/features/batches/reconciling/searchForBatch';
import { submit } from '../../src/features/batches/submitting/submit';
import { thisHolder } from '../../src/features/ledger/lockHolder';
import type { Submission } from '../../src/features/ledger/submission';
import { SubmissionRegistry } from '../../src/features/ledger/submissionRegistry';
import type { BatchFileReport } from '../../src/jsonl/checking/batchFileReport';
import type { JsonlJobs } from '../../src/jsonl/jobs/jobs';
import { contractRules } from '../../src/jsonl/rules/ruleOptions';
import { call } from '../helpers/emulatorClient';
import { copyLedger } from './copyLedger';
import { type Gateway, type Reads, startGateway } from './gateway';
import type { RoundPlan, WindowPlan } from './plan';
import type { WindowTask } from './submitWindow';
import { Windows } from './windows';

/** Tools that all rounds share. */
export interface RoundTools {
  /** The built script of a window. */
  readonly script: string;
  readonly threadFile: string;
  readonly jobs: JsonlJobs;
}

/**
 * End of a round: the results of its windows, or `killed` for a window without a result, and the states of the submissions in the ledger.
 */
export interface RoundEnd {
  readonly ends: readonly string[];
  readonly states: readonly string[];
  readonly batches: number;
}

/** Id of the submission that exists before the round. */
const before = '00000000-0000-4000-8000-000000000000';
const batchDuration = 60_000;
/** Duration of silence after which no window holds a lock of the ledger, in milliseconds. */
const longestSilence = 60_000;
const params = { model: 'vendor-sonnet-5', max_tokens: 16, messages: [{ role: 'user', content: 'Say hello.' }] };
const requestsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ custom_id: `r${n}`, params }));

/** Runs one round over a real socket and a real disk. Throws if a window broke a promise of the extension. */
export async function playRound(plan: RoundPlan, tools: RoundTools): Promise<RoundEnd> {
  const round = new Round(plan, tools);
  try {
    await round.begin();
    return await round.play();
  } finally {
    await round.end();
  }
}

class Round {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'torture-'));
  private readonly registry = path.join(this.folder, 'ledger');
  private readonly file = path.join(this.folder, 'questions.jsonl');
  private readonly windows: Windows;
  private readonly strangers = new Set<string>();
  private readonly copies: { readonly folder: string; readonly isSent: boolean }[] = [];
  private readonly reads: Reads = { lists: [] };
  private readonly oddLists: unknown[];
  private emulator: Emulator | undefined;
  private gateway: Gateway | undefined;
  private client: ServiceClient | undefined;

  constructor(
    private readonly plan: RoundPlan,
    private readonly tools: RoundTools,
  ) {
    this.windows = new Windows(this.folder, tools.script);
    this.oddLists = [...plan.oddLists];
  }

  async begin(): Promise<void> {
    const faults = this.plan.listsLate ? [{ name: 'slowListing', route: 'batches.list', seconds: batchDuration / 1000 } as const] : [];
    this.emulator = await startEmulator({ scenario: { batchDuration, faults } });
    mkdirSync(this.registry);
    const known = await this.sendBefore(this.emulator);
    this.gateway = await startGateway(this.emulator.url, this.plan.whims, this.reads, known);
    const { key } = this.emulator;
    const baseUrl = this.gateway.url;
    this.client = createServiceClient({
      ...{ baseUrl, auth: 'x-api-key', dialect: dialects.contract },
      credential: async () => ({ key, origin: new URL(baseUrl).origin }),
    });
  }

  /** Creates another batch with the same number of requests, and writes its submission to the ledger. Resolves with the batch as JSON. */
  private async sendBefore(emulator: Emulator): Promise<string> {
    const requests = requestsOf(this.plan.requests).map(request => ({ ...request, custom_id: `before-${request.custom_id}` }));
    const { json } = await call(emulator, 'POST', '/v1/messages/batches?beta=true', { requests });
    const registry = new SubmissionRegistry({ folder: this.registry, log: { warn: () => undefined } });
    await registry.save({
      ...{ id: before, connection: 'Lab', origin: emulator.url, source: 'file:///before.jsonl', fileBytes: 1, sha256: 'ab'.repeat(32) },
      ...{ requestCount: requests.length, bodyBytes: 1, state: 'created', batchId: json.id, batch: json },
      startedAt: new Date().toISOString(),
    });
    registry.dispose();
    return JSON.stringify(json);
  }

  async play(): Promise<RoundEnd> {
    const { plan, file } = this;
    const text = requestsOf(plan.requests)
      .map(request => `${JSON.stringify(request)}\n`)
      .join('');
    writeFileSync(file, text);
    const limits = { maxRequests: 100_000, maxBytes: 256 * 1024 * 1024 };
    const report = await this.tools.jobs.checkFile(file, { limits, rules: contractRules() });
    const task = { registry: this.registry, file, report, threadFile: this.tools.threadFile };
    let now = text;
    const [ends] = await Promise.all([
      Promise.all(plan.windows.map(window => this.runWindow(window, task))),
      this.at(plan.strangerAfter, () => this.createElsewhere()),
      this.at(plan.editAfter, async () => {
        now = `${text}${JSON.stringify({ custom_id: 'later', params })}\n`;
        writeFileSync(file, now);
      }),
    ]);
    assert.equal(readFileSync(file, 'utf8'), now, 'the file of the user was written');
    const copies = await this.sendFromCopies(report);
    const settled = await this.settle();
    this.judge(settled, JSON.stringify({ requests: requestsOf(plan.requests) }));
    return { ends: [...ends, ...copies], states: settled.map(({ state }) => state).sort(), batches: this.ours().length };
  }

  private async at(moment: number | undefined, act: () => Promise<void>): Promise<void> {
    if (moment !== undefined) {
      await wait(moment);
      await act();
    }
  }

  /** Creates a colleague's batch of the same requests. */
  private async createElsewhere(): Promise<void> {
    const requests = requestsOf(this.plan.requests);
    const { json, status } = await call(started(this.emulator), 'POST', '/v1/messages/batches?beta=true', { requests });
    assert.equal(status, 200);
    this.strangers.add(json.id);
  }

  private async runWindow(window: WindowPlan, shared: Pick<WindowTask, 'registry' | 'file' | 'report' | 'threadFile'>): Promise<string> {
    const submissionId = randomUUID();
    const { triesAgain, isPassedBy } = window;
    const service = { url: started(this.gateway).url, key: started(this.emulator).key };
    const task: WindowTask = { ...shared, ...service, submissionId, triesAgain };
    return await this.windows.run(window, task, () => {
      this.copy();
      if (isPassedBy) {
        passBy(this.registry);
        passBy(path.join(this.registry, submissionId));
      }
    });
  }

  private copy(): void {
    if (this.plan.copy !== undefined) {
      const to = path.join(this.folder, `copy-${this.copies.length}`);
      this.copies.push({ folder: to, isSent: copyLedger(this.registry, to, this.file, this.plan.copy) });
    }
  }

  /** Sends the file once more from each copy of the ledger. Resolves with the outcomes. */
  private async sendFromCopies(report: BatchFileReport): Promise<readonly string[]> {
    const ends: string[] = [];
    for (const { folder } of this.copies.filter(({ isSent }) => isSent)) {
      await this.withRegistry(folder, async registry => {
        const request = {
          ...{
            submissionId: randomUUID(),
            connection: 'Lab',
            client: started(this.client),
            source: `file://${this.file}`,
            path: this.file,
          },
          ...{ fromEditor: false, report, knownBefore: new Set<string>() },
        };
        const log = { info: () => undefined, error: () => undefined };
        const deps = { registry, jobs: this.tools.jobs, log };
        const { kind } = await submit(deps, request, { signal: new AbortController().signal });
        ends.push(`copy: ${kind}`);
      });
    }
    assert.deepEqual(
      [...new Set(ends)].filter(end => end !== 'copy: conflict'),
      [],
      'a copied ledger lets the file be sent again',
    );
    return ends;
  }

  /** Runs `act` with a ledger whose windows have all been silent for a long time. */
  private async withRegistry<T>(folder: string, act: (registry: SubmissionRegistry) => Promise<T>): Promise<T> {
    let silence = 0;
    const clock = { now: () => Date.now(), monotonic: () => performance.now() + silence };
    const registry = new SubmissionRegistry({ folder, log: { warn: () => undefined }, clock });
    try {
      await registry.load();
      // The process of a window in another namespace can't be checked, so only its silence shows that the window has ended.
      silence = longestSilence;
      await registry.reload();
      return await act(registry);
    } finally {
      registry.dispose();
    }
  }

  /**
   * Opens the ledger in new windows, which search the service's list for unknown batches. Searches twice, the second time after all batches
   * have ended. Returns the submissions.
   */
  private async settle(): Promise<readonly Submission[]> {
    let all: readonly Submission[] = [];
    for (let look = 0; look < 2; look++) {
      all = await this.withRegistry(this.registry, async registry => {
        for (const submission of registry.all().filter(({ state }) => state === 'unknown')) {
          await this.lookAtOddLists(registry, submission);
          await this.lookFor(registry, submission);
        }
        return registry.all().filter(({ id }) => id !== before);
      });
      await started(this.emulator).advanceClock(batchDuration + 1000);
    }
    return all;
  }

  private async lookFor(registry: SubmissionRegistry, submission: Submission): Promise<BatchSearchResult> {
    return await searchForBatch(registry, submission, { client: started(this.client), isEmulator: false });
  }

  /** Searches for a batch while the service returns invalid lists. The search must not draw conclusions from them. */
  private async lookAtOddLists(registry: SubmissionRegistry, submission: Submission): Promise<void> {
    for (const list of this.oddLists.splice(0)) {
      this.reads.lists.push(list);
      try {
        const { found } = await this.lookFor(registry, submission);
        assert.equal(found?.reachedBack, false, `${JSON.stringify(list)} says that there is no batch`);
      } catch (error) {
        assert.ok(error instanceof ServiceError && error.kind === 'mismatch', String(error));
      }
      assert.equal(this.reads.lists.length, 0, 'no list was asked for');
    }
  }

  private ours(): readonly string[] {
    return [...started(this.gateway).bodies.keys()];
  }

  private judge(submissions: readonly Submission[], expected: string): void {
    const ours = this.ours();
    assert.ok(ours.length <= 1, `${ours.length} batches of one file, and nobody wanted it twice`);
    for (const [id, body] of started(this.gateway).bodies) {
      assert.deepEqual(JSON.parse(body), JSON.parse(expected), `the bytes of ${id} are not those of the file`);
    }
    const known = submissions.filter(({ state }) => state === 'created').map(({ batchId }) => batchId ?? '');
    assert.equal(new Set(known).size, known.length, 'one batch is known twice');
    for (const id of known) {
      assert.ok(!this.strangers.has(id), `the batch of somebody else is taken for ours`);
      assert.ok(ours.includes(id), `${id} is known and was never created`);
    }
    const open = submissions.filter(({ state }) => state === 'unknown');
    for (const id of ours.filter(each => !known.includes(each))) {
      const question = open.find(({ search }) => search?.candidates.some(({ batchId }) => batchId === id) === true);
      assert.ok(question !== undefined, `a batch that nobody knows of: ${JSON.stringify(submissions.map(({ state }) => state))}`);
    }
    assert.ok(!submissions.some(({ state }) => state === 'sending'), 'what no window sends is still being sent');
  }

  async end(): Promise<void> {
    this.windows.end();
    await this.client?.close();
    await this.gateway?.stop();
    await this.emulator?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function started<T>(part: T | undefined): T {
  return part ?? assert.fail('the round has not begun');
}

/** Simulates some seconds of silence by naming a process that doesn't exist in the lock files. */
function passBy(where: string): void {
  if (existsSync(where)) {
    for (const name of readdirSync(where).filter(found => found.startsWith('submission.lock'))) {
      writeFileSync(path.join(where, name), JSON.stringify({ ...thisHolder(), pid: 99_999_999 }));
    }
  }
}
