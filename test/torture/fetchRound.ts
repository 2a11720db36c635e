import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { MessageBatch } from '../../src/client/resources/messageBatches';
import type { Fault } from '../../src/emulator/faults';
import { startEmulator } from '../../src/emulator/server';
import { SubmissionRegistry } from '../../src/features/ledger/submissionRegistry';
import { batchOf, call } from '../helpers/emulatorClient';
import type { FetchTask } from './fetchWindow';
import { type Gateway, startGateway } from './gateway';
import type { WindowPlan } from './plan';
import { Windows } from './windows';

/** Plan of a round: windows that fetch the results of the same run. */
export interface FetchPlan {
  readonly requests: number;
  readonly windows: readonly WindowPlan[];
  /** Time at which the user writes a file with the name of the results file, in milliseconds; `undefined` for never. */
  readonly userWritesAfter: number | undefined;
  /** Number of bytes after which responses with results are cut, and how often. */
  readonly cuts: { readonly bytes: number; readonly times: number } | undefined;
  readonly isResumable: boolean;
  /** Number and kind of the reads to which the gateway responds with data of another batch. `undefined` for none. */
  readonly wrongReads: { readonly what: 'batch' | 'results'; readonly times: number } | undefined;
}

const words = 'What the user wrote.\n';

/**
 * Runs one round over a real socket and a real disk. Resolves with the ends of its windows. Throws if a window broke a promise of the
 * extension.
 */
export async function playFetchRound(plan: FetchPlan, tools: { readonly script: string; readonly threadFile: string }): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'torture-fetch-'));
  const hidden = path.join(folder, 'hidden');
  const ledger = path.join(hidden, 'ledger');
  const joinedPath = path.join(folder, 'questions.results.jsonl');
  const emulator = await startEmulator({ scenario: { batchDuration: 0 } });
  const windows = new Windows(hidden, tools.script);
  let gateway: Gateway | undefined;
  try {
    mkdirSync(hidden);
    const ids = Array.from({ length: plan.requests }, (_, n) => `r${n}`);
    const { json } = await call(emulator, 'POST', '/v1/messages/batches?beta=true', batchOf(...ids));
    const others = batchOf(...ids).requests.map(request => ({ ...request, custom_id: `other-${request.custom_id}` }));
    const { json: another } = await call(emulator, 'POST', '/v1/messages/batches?beta=true', { requests: others });
    await emulator.advanceClock(0);
    const batch: MessageBatch = (await call(emulator, 'GET', `/v1/messages/batches/${json.id}?beta=true`)).json;
    assert.equal(batch.processing_status, 'ended');
    emulator.setScenario({ faults: faultsOf(plan) });
    if (plan.wrongReads !== undefined) {
      gateway = await startGateway(emulator.url, [], { lists: [], wrong: { ...plan.wrongReads, of: json.id, by: another.id } });
    }
    const registry = new SubmissionRegistry({ folder: ledger, log: { warn: () => undefined } });
    const id = randomUUID();
    writeFileSync(path.join(await registry.prepare(id), 'lines.tsv'), ids.map((one, line) => `${line}\t${one}\n`).join(''));
    await registry.save({
      ...{ id, batchId: json.id, batch, connection: 'Lab', origin: emulator.url, state: 'created' },
      ...{ source: pathToFileURL(path.join(folder, 'questions.jsonl')).href, sha256: 'ab', startedAt: new Date().toISOString() },
      ...{ fileBytes: 1, bodyBytes: 1, requestCount: ids.length },
    });
    registry.dispose();
    const task: FetchTask = { url: gateway?.url ?? emulator.url, key: emulator.key, threadFile: tools.threadFile, ledger };
    const [ends] = await Promise.all([
      Promise.all(plan.windows.map(window => windows.run(window, task, () => undefined))),
      userWrites(plan, joinedPath),
    ]);
    judge(folder, ids, plan.userWritesAfter === undefined ? undefined : joinedPath, ends);
    return ends;
  } finally {
    windows.end();
    await gateway?.stop();
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function userWrites({ userWritesAfter }: FetchPlan, file: string): Promise<void> {
  if (userWritesAfter !== undefined) {
    await wait(userWritesAfter);
    writeFileSync(file, words);
  }
}

function faultsOf({ cuts, isResumable }: FetchPlan): readonly Fault[] {
  const route = 'batches.results';
  return [
    ...(isResumable ? [{ name: 'resumableResults', route } as const] : []),
    ...(cuts === undefined ? [] : [{ name: 'cutResponse', route, ...cuts } as const]),
  ];
}

/** Asserts that all result files are complete. `ofUser` is the path of the user's file, which must be unchanged. */
function judge(folder: string, ids: readonly string[], ofUser: string | undefined, ends: readonly string[]): void {
  if (ofUser !== undefined) {
    assert.equal(readFileSync(ofUser, 'utf8'), words, 'what the user wrote was replaced');
  }
  const files = readdirSync(folder).filter(name => name.endsWith('.jsonl') && path.join(folder, name) !== ofUser);
  for (const name of files) {
    const lines = readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n');
    const found = lines.map(line => JSON.parse(line).custom_id);
    assert.deepEqual(found, ids, `${name} is not whole`);
  }
  // The user's file may have replaced the window's results file.
  assert.ok(
    !ends.includes('fetched') || files.length > 0 || ofUser !== undefined,
    'a window said that it has fetched, and no file is there',
  );
  assert.ok(files.length <= 2, `Windows that fetch the same wrote ${files.join(', ')}`);
}
