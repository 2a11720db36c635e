import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import type { AssistantServices, MessageQuestion, NamedFile, Shown } from '../../../src/features/assistant/assistantServices';
import { ToolRefusal } from '../../../src/features/assistant/assistantTool';
import type { SheetEnd } from '../../../src/features/assistant/proposedSheets';
import { runTool } from '../../../src/features/assistant/runTool';
import type { ToolLevel } from '../../../src/features/assistant/toolLevel';
import { assistantTools } from '../../../src/features/assistant/tools';
import { findWorkspaceFile, type WorkspacePath, writeNewFile } from '../../../src/features/assistant/workspacePaths';
import { fetchResults } from '../../../src/features/batches/fetching/fetchResults';
import { submit } from '../../../src/features/batches/submitting/submit';
import type { Reached } from '../../../src/features/connection';
import type { Submission } from '../../../src/features/ledger/submission';
import { submissionFiles } from '../../../src/features/ledger/submissionFile';
import { SubmissionRegistry } from '../../../src/features/ledger/submissionRegistry';
import { createJsonlJobs } from '../../../src/jsonl/jobs/jobs';
import { contractRules } from '../../../src/jsonl/rules/ruleOptions';
import { contractClient } from '../../helpers/emulatorClient';

const limits = { maxRequests: 100_000, maxBytes: 256 * 1024 * 1024 };

/** Result of a tool, as a model reads it. */
export interface ReadAnswer {
  readonly text: string;
  readonly next: string | undefined;
  readonly isTruncated: boolean;
  // Tests read any field of a result.
  readonly body: Readonly<Record<string, unknown>>;
}

/** The tools over a real client, an emulator, real threads and a workspace on the disk. Only the user's decisions are simulated. */
export class AssistantBench {
  readonly jobs = createJsonlJobs({ threadFile: path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js') });
  level: ToolLevel = 'full';
  consent = true;
  agrees = true;
  /** Called before a dialog is answered. By default, dialogs are answered at once. */
  decide: (answer: boolean) => boolean | Promise<boolean> = answer => answer;
  sheetEnd: SheetEnd = { kind: 'closed' };
  readonly asked: string[] = [];
  readonly questions: MessageQuestion[] = [];
  readonly sheets: string[] = [];
  readonly shown: Shown[] = [];

  private constructor(
    readonly emulator: Emulator,
    readonly client: ServiceClient,
    readonly folder: string,
    readonly registry: SubmissionRegistry,
  ) {}

  static async start(): Promise<AssistantBench> {
    const emulator = await startEmulator({ scenario: { batchDuration: 0, sessionPause: 0 } });
    const client = contractClient(emulator);
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'assistant-')));
    mkdirSync(path.join(folder, 'work'));
    const registry = new SubmissionRegistry({ folder: path.join(folder, 'registry'), log: { warn: () => undefined } });
    await registry.load();
    return new AssistantBench(emulator, client, folder, registry);
  }

  async stop(): Promise<void> {
    this.registry.dispose();
    await this.client.close();
    await this.emulator.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  at(name: string): string {
    return path.join(this.folder, 'work', name);
  }

  write(name: string, ...lines: readonly (object | string)[]): string {
    writeFileSync(this.at(name), lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
    return this.at(name);
  }

  /** Calls a tool as a model does. */
  async call(name: string, input: unknown = {}, signal = new AbortController().signal): Promise<ReadAnswer> {
    const tool = assistantTools.find(one => one.name === name) ?? assert.fail(name);
    const text = (await runTool(tool, input, this.services(), signal)).text();
    const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n(.*)$/.exec(text) ?? assert.fail(text.slice(0, 500));
    const next = /^next: (.*)$/m.exec(head)?.[1];
    return {
      text,
      next: next === undefined ? undefined : JSON.parse(next),
      isTruncated: head.includes('truncated: true'),
      body: JSON.parse(body),
    };
  }

  /** Sends a file as the sheet does, and fetches its results. */
  async sendAndFetch(file: string): Promise<Submission> {
    const report = await this.jobs.checkFile(file, { limits, rules: contractRules() });
    const outcome = await submit(
      { registry: this.registry, jobs: this.jobs, log: { info: () => undefined, error: () => undefined } },
      {
        ...{ submissionId: randomUUID(), connection: 'Lab', client: this.client, source: pathToFileURL(file).toString() },
        ...{ path: file, fromEditor: false, report, knownBefore: new Set<string>() },
      },
      { signal: new AbortController().signal },
    );
    assert.ok(outcome.kind === 'created', JSON.stringify(outcome));
    await this.emulator.advanceClock(1_000);
    const { id, batchId = '' } = outcome.submission;
    const { data: batch } = await this.client.batches.retrieve(batchId);
    const inFolder = (name: string) => path.join(this.registry.folder(id), name);
    const joinedPath = file.replace(/\.jsonl$/, '.results.jsonl');
    const { report: results } = await fetchResults({
      ...{ client: this.client, batch, jobs: this.jobs, joinedPath },
      rawPath: inFolder(submissionFiles.rawResults),
      indexPath: inFolder(submissionFiles.resultsIndex),
      linesPath: inFolder(submissionFiles.lines),
    });
    return await this.registry.update(id, { batch, results: { joinedPath, fetchedAt: new Date().toISOString(), report: results } });
  }

  /** Returns the calls so far that change something. */
  changes(): readonly string[] {
    return this.emulator.requests.filter(({ method }) => method !== 'GET').map(({ method, path: asked }) => `${method} ${asked}`);
  }

  services(): AssistantServices {
    const roots = [{ name: 'work', path: path.join(this.folder, 'work') }];
    const toNamed = ({ name, path: file }: WorkspacePath): NamedFile => ({ name, path: file, source: pathToFileURL(file).toString() });
    const { jobs, registry, client } = this;
    return {
      jobs,
      registry,
      isTrusted: () => true,
      level: () => this.level,
      now: () => Date.now(),
      findFile: async name => toNamed(await findWorkspaceFile(roots, name)),
      writeNew: async (name, write) => {
        const { file, value } = await writeNewFile(roots, name, write);
        return { file: toNamed(file), value };
      },
      readFile: (file, use) => use(file.path),
      rules: () => contractRules(),
      limits: () => limits,
      prices: () => ({ prices: new Map([['vendor-sonnet-5', { input: 2, output: 8 }]]), currency: 'EUR', folderModels: new Set() }),
      minimumCachedTokens: () => 1024,
      mostTokens: () => [],
      reach: async name => {
        if (name !== undefined && name !== 'Lab') {
          throw new ToolRefusal('There is no such connection.');
        }
        return { connection: { name: 'Lab' }, client } as Reached;
      },
      isConsented: () => this.consent,
      askConsent: async (name, program) => {
        this.asked.push(program === undefined ? name : `${program}: ${name}`);
        return await this.decide(this.consent);
      },
      showSheet: async ({ file, only, sampleSize }) => {
        this.sheets.push([file.name, only, sampleSize].filter(part => part !== undefined).join(' '));
        return this.sheetEnd;
      },
      askMessage: async question => {
        this.questions.push(question);
        return await this.decide(this.agrees);
      },
      sendMessage: async ({ sessionId }, text, signal) => {
        await client.sessions.send(sessionId, [{ type: 'user.message', content: [{ type: 'text', text }] }], { signal });
      },
      show: async what => {
        this.shown.push(what);
        return true;
      },
    };
  }
}
