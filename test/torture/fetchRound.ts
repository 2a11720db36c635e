import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { MessageBatch } from '../../src/client/schemas/messageBatches';
import type { Fault } from '../../src/emulator/faults';
import { startEmulator } from '../../src/emulator/server';
import { batchOf, call } from '../helpers/emulatorClient';
import type { FetchTask } from './fetchWindow';
import { type Gateway, startGateway } from './gateway';
import type { WindowPlan } from './plan';
import { Windows } from './windows';

/** What happens in one round of windows that fetch the same results to the same place. */
export interface FetchPlan {
  readonly requests: number;
  readonly windows: readonly WindowPlan[];
  /** Milliseconds after which the user writes a file of that name; undefined for never. */
  readonly userWritesAfter: number | undefined;
  /** Bytes after which answers with results are cut, so many times. */
  readonly cuts: { readonly bytes: number; readonly times: number } | undefined;
  readonly isResumable: boolean;
  /** Reads of the batch, or of its results, that are answered with those of another batch. `undefined` for none. */
  readonly wrongReads: { readonly what: 'batch' | 'results'; readonly times: number } | undefined;
}

const words = 'What the user wrote.\n';

/** Plays one round over a real socket and a real disk. Settles with how its windows ended; throws what promise was broken. */
export async function playFetchRound(plan: FetchPlan, tools: { readonly script: string; readonly threadFile: string }): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'torture-fetch-'));
  const hidden = path.join(folder, 'hidden');
  const joinedPath = path.join(folder, 'questions.results.jsonl');
  const emulator = await startEmulator({ scenario: { batchDuration: 0 } });
  const windows = new Windows(hidden, tools.script);
  let gateway: Gateway | undefined;
  try {
    mkdirSync(hidden);
    const ids = Array.from({ length: plan.requests }, (_, n) => `r${n}`);
    writeFileSync(path.join(hidden, 'lines.tsv'), ids.map((id, line) => `${line}\t${id}\n`).join(''));
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
    const inHidden = (name: string) => path.join(hidden, name);
    const task: FetchTask = {
      ...{ url: gateway?.url ?? emulator.url, key: emulator.key, threadFile: tools.threadFile, batch, joinedPath },
      ...{ rawPath: inHidden('results.jsonl'), indexPath: inHidden('results.index'), linesPath: inHidden('lines.tsv') },
    };
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

/** `ofUser`: the file that the user wrote. */
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
  const fetched = ends.filter(end => end.startsWith('fetched')).length;
  const overwritten = ofUser !== undefined && ends.includes('fetched') ? 1 : 0;
  assert.ok(files.length + overwritten >= fetched, `${fetched} windows said that they have fetched, ${files.length} files are there`);
}
