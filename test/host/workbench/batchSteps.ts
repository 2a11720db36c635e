import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Emulator } from '../../../src/emulator/server';
import { eventually } from '../eventually';
import { picker } from '../page/quickInputs';
import type { Workbench } from './workbench';

/** Duration after which every batch of these tests has ended, in milliseconds. */
const longEnough = 700_000;

/** Opens the Batches view and sets the key through its welcome text. Resolves once the view shows that there are no batches. */
export async function enterBatches(w: Workbench, { key }: Emulator): Promise<void> {
  await w.openViewContainer('Managed Agents');
  await w.welcomeButton('Set API Key', `${picker} input[type="password"]`);
  await w.inputBox(key);
  await w.waitFor('.welcome-view-content :text("No batches yet")');
}

/** Creates a batch from a file of the workspace through its sheet. Returns its id. */
export async function createBatch(w: Workbench, file: string): Promise<string> {
  const name = path.basename(file);
  // A notification would cover the button that sends.
  await w.clearNotifications();
  await w.openFile(file);
  await w.beginCommand(w.sheetTab(name), 'managedAgents.batch.create');
  const before = createdOf(w, name);
  await w.createFromSheet(name);
  return await createdBatch(w, name, { before });
}

/** Returns the id of a file's new batch with this number of `requests`, once the extension has recorded the batch. */
export async function createdBatch(
  w: Workbench,
  file: string,
  { before = [], requests }: { readonly before?: readonly Created[]; readonly requests?: number } = {},
): Promise<string> {
  const known = new Set(before.map(({ batchId }) => batchId));
  const isNew = ({ batchId, requestCount }: Created) => !known.has(batchId) && requestCount === (requests ?? requestCount);
  await eventually(() => createdOf(w, file).some(isNew));
  return createdOf(w, file).find(isNew)?.batchId ?? '';
}

interface Created {
  readonly state: string;
  readonly source: string;
  readonly batchId: string;
  readonly requestCount: number;
}

/** Returns the extension's records of the batches of a file. */
function createdOf(w: Workbench, file: string): readonly Created[] {
  const folder = path.join(w.globalStorage, 'submissions');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap(name => {
    const record = path.join(folder, name, 'submission.json');
    const found: readonly Created[] = existsSync(record) ? [JSON.parse(readFileSync(record, 'utf8'))] : [];
    return found.filter(({ state, source }) => state === 'created' && decodeURIComponent(source).endsWith(file));
  });
}

/** Ends all batches. Resolves once the view shows that the first one of a file has ended. */
export async function endBatches(w: Workbench, emulator: Emulator, file: string): Promise<void> {
  await emulator.advanceClock(longEnough);
  await w.command('managedAgents.refresh');
  await w
    .row(path.basename(file))
    .filter({ hasText: /answered|succeeded/ })
    .waitFor();
}

/** Ends all batches, fetches the results of this one, and clears the notifications. */
export async function endAndFetch(w: Workbench, emulator: Emulator, file: string, batchId: string): Promise<void> {
  await endBatches(w, emulator, file);
  await w.command('managedAgents.batch.fetchResults', { connection: 'Lab', batchId });
  await w.notification(`Results of ${path.basename(file)}: `);
  await w.clearNotifications();
}
