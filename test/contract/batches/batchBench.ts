import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ServiceClient } from '../../../src/client/serviceClient';
import type { StreamedBody } from '../../../src/contract/streamedBody';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { type SubmitOptions, type SubmitOutcome, type SubmitRequest, submit } from '../../../src/features/batches/submitting/submit';
import { SubmissionRegistry } from '../../../src/features/ledger/submissionRegistry';
import { createJsonlJobs } from '../../../src/jsonl/jobs/jobs';
import { contractRules } from '../../../src/jsonl/rules/ruleOptions';
import { contractClient } from '../../helpers/emulatorClient';

export const params = { model: 'vendor-sonnet-5', max_tokens: 16, messages: [{ role: 'user', content: 'Say hello.' }] };
export const limits = { maxRequests: 100_000, maxBytes: 256 * 1024 * 1024 };
export const terms = { limits, rules: contractRules() };
export const threadFile = path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js');

/** Returns the text of a request file. */
export const linesOf = (requests: readonly object[]) => requests.map(one => `${JSON.stringify(one)}\n`).join('');

/** Returns the body of a create with these ids. */
export function bodyOf(ids: readonly string[]): StreamedBody {
  const bytes = Buffer.from(JSON.stringify({ requests: ids.map(custom_id => ({ custom_id, params })) }));
  return {
    byteLength: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}

/** An emulator with a client, and a folder with a ledger. New for each test, or with `once` for the suite. */
export class Bench {
  readonly jobs = createJsonlJobs({ threadFile });
  emulator!: Emulator;
  client!: ServiceClient;
  folder = '';
  registry!: SubmissionRegistry;
  private readonly opened: SubmissionRegistry[] = [];

  constructor(scenario: Parameters<Emulator['setScenario']>[0], { once = false, client = {} }: { once?: boolean; client?: object } = {}) {
    (once ? before : beforeEach)(async () => {
      this.emulator = await startEmulator({ scenario });
      this.client = contractClient(this.emulator, client);
      this.folder = mkdtempSync(path.join(tmpdir(), 'batches-'));
      this.registry = await this.open();
    });
    (once ? after : afterEach)(async () => {
      for (const registry of this.opened.splice(0)) {
        registry.dispose();
      }
      await this.client.close();
      await this.emulator.stop();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  /** Opens the ledger as a new window does. */
  async open(): Promise<SubmissionRegistry> {
    const registry = new SubmissionRegistry({ folder: path.join(this.folder, 'registry'), log: { warn: () => undefined } });
    this.opened.push(registry);
    await registry.load();
    return registry;
  }

  file(name = 'requests.jsonl'): string {
    return path.join(this.folder, name);
  }

  /** Writes a file of requests. */
  write(...requests: readonly object[]): string {
    writeFileSync(this.file(), linesOf(requests));
    return this.file();
  }

  deps(registry = this.registry) {
    return { registry, jobs: this.jobs, log: { info: () => undefined, error: () => undefined } };
  }

  /** Returns the parameters of a submission of a file, without the report of the file's check. */
  request(file: string): Omit<SubmitRequest, 'report'> {
    return {
      ...{ submissionId: randomUUID(), connection: 'Lab', client: this.client, source: `file://${file}`, path: file, fromEditor: false },
      knownBefore: new Set(),
    };
  }

  /** Checks and sends a file. Parameters in `change` replace the defaults. */
  async submit(
    file: string,
    change: Partial<SubmitRequest> = {},
    { registry, ...options }: Partial<SubmitOptions> & { readonly registry?: SubmissionRegistry } = {},
  ): Promise<SubmitOutcome> {
    const report = change.report ?? (await this.jobs.checkFile(file, terms));
    const { signal } = new AbortController();
    return await submit(this.deps(registry), { ...this.request(file), report, ...change }, { signal, ...options });
  }

  /** Returns the batches that the service lists. */
  async batches() {
    return (await this.client.batches.list({ limit: 100 })).items;
  }

  /** Returns how many calls changed something. */
  creates(): number {
    return this.emulator.requests.filter(({ method }) => method === 'POST').length;
  }
}
