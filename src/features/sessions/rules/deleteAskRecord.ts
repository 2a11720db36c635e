import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { undefinedIfMissing } from '../../../common/files/undefinedIfMissing';

/** Deletes the record of answered asks that versions up to 0.4.0 wrote. It contains whole arguments, including secrets. */
export async function deleteAskRecord(storage: string): Promise<void> {
  const folder = path.join(storage, 'approvalRules');
  const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
  const recorded = names.filter(name => name === 'asks.jsonl' || name.endsWith('.tmp'));
  await Promise.all(recorded.map(name => rm(path.join(folder, name), { force: true })));
}
