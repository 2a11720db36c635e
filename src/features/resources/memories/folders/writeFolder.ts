import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Memory } from '../../../../client/resources/memoryStores';
import type { ServiceClient } from '../../../../client/serviceClient';
import type { Choice } from '../../../../common/asking/askSteps';
import { askFolder } from '../../../../common/asking/newFile';
import { withProgress } from '../../../../common/asking/progress';
import { isToolFolder } from '../../../../common/files/isInToolFolder';
import { maxMemoryBytes, memoryPathProblem } from '../../../../contract/memoryPath';
import { numberFormat } from '../../../../shared/formats';
import { toLabel } from '../../../../shared/text';
import { strictTextOf } from '../../documents/openContent';
import type { ResourceFlow } from '../../resourceFlow';
import { ifUnchanged } from '../memoryAccess';
import { describePathProblem } from '../memoryLocation';
import type { StoreFolder } from '../memoryTarget';
import { askPlan, countPlan, doPlan, linesOf, maxFiles, memoriesBelow, type PlannedLine, showDone } from './storePlan';

/** File, or memory missing in the folder, and its effect on the store. */
interface WrittenFile extends PlannedLine {
  readonly content: string;
  readonly memory?: Memory;
}

/**
 * Writes the files of a local folder to a store as memories, after showing the effect on each memory. Deletes memories that the folder does
 * not have if the user chooses so. Never replaces or deletes a memory that changed since the plan.
 */
export async function writeFolder(flow: ResourceFlow, store: StoreFolder): Promise<void> {
  const { t } = vscode.l10n;
  flow.service.demand('userToChange');
  const { client } = await flow.service.reach(store.connection, 'userToChange');
  const folder = await askFolder(t('Write Folder to {0}', store.label), t('Select Folder'));
  const { label } = store;
  const plan = await withProgress(t('Comparing the folder with {0}', label), new AbortController().signal, signal =>
    planWrite(client, store, folder, signal),
  );
  const wanted = await askPlan(t('Write {0} to {1}?', toLabel(folder, 200), label), actsOf(plan), plan);
  const result = await doPlan(t('Writing to {0}', label), wanted, line => write(client, store, line));
  await flow.memories.touch(store);
  showDone(t('Wrote {0} memories to {1}.', result.done, label), result);
}

function actsOf(plan: readonly WrittenFile[]): readonly Choice<readonly WrittenFile[]>[] {
  const { t } = vscode.l10n;
  const counts = countPlan(plan, t, vscode.env.language);
  const written = [...linesOf(plan, 'create'), ...linesOf(plan, 'replace')];
  const only = linesOf(plan, 'only');
  const write = { label: `$(cloud-upload) ${t('Write')}`, detail: counts, value: written };
  const mirror = {
    label: `$(trash) ${t('Write and Delete Extra Memories ({0})', only.length)}`,
    detail: t('{0}, to delete from the store: {1}', counts, only.length),
    value: [...written, ...only],
  };
  return [...(written.length > 0 ? [write] : []), ...(only.length > 0 ? [mirror] : [])];
}

async function write(client: ServiceClient, { storeId }: StoreFolder, { act, path: at, content, memory }: WrittenFile): Promise<void> {
  const calls = client.memoryStores.memories(storeId);
  const sha256 = memory?.content_sha256;
  if (memory === undefined) {
    await calls.create({ path: at, content });
  } else if (act === 'only') {
    await calls.delete(memory.id, sha256 ? { expectedSha256: sha256 } : {});
  } else {
    await calls.update(memory.id, { content, ...ifUnchanged(sha256) });
  }
}

async function planWrite(
  client: ServiceClient,
  { storeId, folder: prefix }: StoreFolder,
  folder: string,
  signal: AbortSignal,
): Promise<readonly WrittenFile[]> {
  const there = await memoriesBelow(client, storeId, prefix, { view: 'basic', signal });
  const lines: WrittenFile[] = [];
  for await (const file of filesIn(folder, signal)) {
    const at = `${prefix}${file}`.normalize('NFC');
    const memory = there.get(at);
    there.delete(at);
    const read = await readText(path.join(folder, ...file.split('/')), at);
    if ('why' in read) {
      lines.push({ act: 'refused', path: at, content: '', why: read.why });
    } else if (memory === undefined) {
      lines.push({ act: 'create', path: at, content: read.content });
    } else {
      const isSame = createHash('sha256').update(read.content).digest('hex') === memory.content_sha256;
      lines.push({ act: isSame ? 'same' : 'replace', path: at, content: read.content, memory });
    }
  }
  return [...lines, ...[...there].map(([at, memory]): WrittenFile => ({ act: 'only', path: at, content: '', memory }))];
}

/**
 * Yields the paths of all files in a folder and its subfolders, with `/` as separator and sorted within each folder. Does not follow links.
 */
async function* filesIn(folder: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  let count = 0;
  const waiting = [''];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    signal.throwIfAborted();
    const entries = await readdir(path.join(folder, at), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const own = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'node_modules' && !isToolFolder(entry.name)) {
        waiting.push(own);
      } else if (entry.isFile()) {
        if (++count > maxFiles) {
          throw new Error(vscode.l10n.t('More than {0} items. Choose a smaller folder.', maxFiles));
        }
        yield own;
      }
    }
  }
}

async function readText(file: string, at: string): Promise<{ readonly content: string } | { readonly why: string }> {
  const problem = memoryPathProblem(at);
  if (problem !== undefined) {
    return { why: describePathProblem(problem, vscode.l10n.t) };
  }
  if (/^\.env(?:\.|$)/i.test(path.basename(file))) {
    return { why: vscode.l10n.t('may contain secrets') };
  }
  if ((await stat(file)).size > maxMemoryBytes) {
    return { why: vscode.l10n.t('larger than {0}', numberFormat(vscode.env.language).format(maxMemoryBytes)) };
  }
  const content = strictTextOf(await readFile(file));
  return content === undefined ? { why: vscode.l10n.t('not UTF-8') } : { content };
}
