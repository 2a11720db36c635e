import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Memory } from '../../../../client/resources/memoryStores';
import type { ServiceClient } from '../../../../client/serviceClient';
import { askChoice, type Choice } from '../../../../common/asking/askSteps';
import { askFolder } from '../../../../common/asking/newFile';
import { withProgress } from '../../../../common/asking/progress';
import { isToolFolder, refuseToolFolder } from '../../../../common/files/isInToolFolder';
import { toFileStem } from '../../../../common/text/fileStem';
import type { Translate } from '../../../../common/text/translate';
import { maxMemoryBytes, memoryPathProblem } from '../../../../contract/memoryPath';
import { type FileStamp, stampOfFile } from '../../../../jsonl/files/publishing';
import { WholeFile } from '../../../../jsonl/files/wholeFile';
import { numberFormat } from '../../../../shared/formats';
import { toLabel } from '../../../../shared/text';
import { strictTextOf } from '../../documents/openContent';
import type { ResourceFlow } from '../../resourceFlow';
import { ifUnchanged } from '../memoryAccess';
import { describePathProblem } from '../memoryLocation';
import { type MemoryTarget, type StoreFolder, storeOf } from '../openMemory';
import { askPlan, countPlan, doPlan, linesOf, maxFiles, memoriesBelow, type PlannedLine, showDone } from './storePlan';

/** Copies a store, or a folder in it, to a local folder, or writes a local folder to it. The user chooses the direction. */
export async function syncFolder(flow: ResourceFlow, target: MemoryTarget): Promise<void> {
  const { t } = vscode.l10n;
  const store = await storeOf(flow, target);
  const direction = await askChoice<'copy' | 'write'>({
    title: t('Sync {0} with Folder', store.label),
    placeholder: t('Select a direction'),
    choices: [
      { label: `$(cloud-download) ${t('Copy Store to Folder...')}`, value: 'copy' },
      { label: `$(cloud-upload) ${t('Write Folder to Store...')}`, value: 'write' },
    ],
  });
  await (direction === 'copy' ? copyToFolder(flow, store) : writeFolder(flow, store));
}

interface CopiedFile extends PlannedLine {
  readonly content: string;
  readonly file: string;
  readonly stamp?: FileStamp;
}

/**
 * Copies the memories of a store, or of a folder in it, to a local folder, after showing the effect on each file. Leaves all other files
 * alone. Each file is written completely or not at all.
 */
export async function copyToFolder(flow: ResourceFlow, store: StoreFolder): Promise<void> {
  const { t } = vscode.l10n;
  const { client } = await flow.service.reach(store.connection, 'read');
  const folder = await askFolder(t('Copy {0} to Folder', store.label), t('Copy Here'));
  await refuseToolFolder(path.join(folder, 'file'), t);
  const { label } = store;
  const plan = await withProgress(t('Reading {0}', label), new AbortController().signal, signal => planCopy(client, store, folder, signal));
  const wanted = [...linesOf(plan, 'create'), ...linesOf(plan, 'replace')];
  const where = toLabel(folder, 200);
  const detail = countPlan(plan, t, vscode.env.language);
  const acts = wanted.length === 0 ? [] : [{ label: `$(check) ${t('Copy')}`, detail, value: wanted }];
  await askPlan(t('Copy {0} to {1}?', label, where), acts, plan);
  const result = await doPlan(t('Copying {0}', label), wanted, line => writeFile(folder, line));
  showDone(result.done === 1 ? t('Copied 1 memory to {0}.', where) : t('Copied {0} memories to {1}.', result.done, where), result);
}

async function planCopy(
  client: ServiceClient,
  { storeId, folder }: StoreFolder,
  target: string,
  signal: AbortSignal,
): Promise<readonly CopiedFile[]> {
  const memories = await memoriesBelow(client, storeId, folder, { view: 'full', most: maxFiles, signal });
  const pathBelow = (memoryPath: string) => memoryPath.slice(folder.length - 1);
  const { files, refused } = toFileNames([...memories.keys()].map(pathBelow), vscode.l10n.t);
  const lines: CopiedFile[] = [];
  for (const [memoryPath, { content: text }] of memories) {
    const content = text ?? '';
    const at = pathBelow(memoryPath);
    const file = files.get(at) ?? '';
    const own = { path: memoryPath, content, file };
    const why = refused.get(at) ?? (await inTheWay(target, file));
    lines.push(why === undefined ? { ...own, ...(await stateOf(target, file, content)) } : { ...own, act: 'refused', why });
  }
  return lines;
}

/** Returns the reason why a file can't be written. The reason is a link, or a file in place of a folder. */
async function inTheWay(folder: string, file: string): Promise<string | undefined> {
  const parts = file.split('/');
  for (const [at] of parts.entries()) {
    const found = await lstat(path.join(folder, ...parts.slice(0, at + 1))).catch(() => undefined);
    const isLast = at === parts.length - 1;
    if (found !== undefined && (isLast ? !found.isFile() : !found.isDirectory())) {
      return vscode.l10n.t('conflicts with another file');
    }
  }
  return undefined;
}

async function stateOf(folder: string, file: string, content: string): Promise<Pick<CopiedFile, 'act' | 'stamp'>> {
  const target = path.join(folder, ...file.split('/'));
  const stamp = await stampOfFile(target);
  if (stamp === undefined) {
    return { act: 'create' };
  }
  const { size } = await lstat(target);
  const isSame = size === Buffer.byteLength(content) && (await readFile(target)).equals(Buffer.from(content));
  return isSame ? { act: 'same' } : { act: 'replace', stamp };
}

/** Writes one file as planned. Never replaces a file that changed since the plan. */
async function writeFile(folder: string, { file, content, stamp }: CopiedFile): Promise<void> {
  const target = path.join(folder, ...file.split('/'));
  if ((await inTheWay(folder, file)) !== undefined || (await stampOfFile(target)) !== stamp) {
    throw new Error(vscode.l10n.t('changed on disk in the meantime'));
  }
  await mkdir(path.dirname(target), { recursive: true });
  await WholeFile.write(target, content);
}

/**
 * Maps memory paths to equal file paths, so that the folder can be written back. Refuses a path that leaves the folder or has a special
 * meaning to a system or a tool. Also refuses a path that conflicts with another path, or differs from another path only in case. Returns
 * relative paths with `/` as separator, and the reasons of refusals as sentences, both by memory path.
 */
export function toFileNames(paths: readonly string[], translate: Translate) {
  const files = new Map<string, string>();
  const refused = new Map<string, string>();
  const taken = new Map<string, 'file' | 'folder'>();
  for (const path of paths) {
    const parts = path.split('/').slice(1);
    const names = path.toLowerCase().split('/').slice(1);
    const lower = names.map((_, at) => names.slice(0, at + 1).join('/'));
    const own = lower.at(-1) ?? '';
    const above = lower.slice(0, -1);
    if (!path.startsWith('/') || parts.some(part => !isPlainName(part))) {
      refused.set(path, translate('invalid file name'));
    } else if (parts.some(isToolFolder)) {
      refused.set(path, translate('in .git or .vscode'));
    } else if (taken.has(own) || above.some(folder => taken.get(folder) === 'file')) {
      refused.set(path, translate('conflicts with another file'));
    } else {
      taken.set(own, 'file');
      for (const folder of above) {
        taken.set(folder, 'folder');
      }
      files.set(path, parts.join('/'));
    }
  }
  return { files, refused };
}

/** Returns whether a name means the same on every system. `toFileStem` leaves such a name unchanged, apart from one leading dot. */
function isPlainName(name: string): boolean {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  return plain !== '' && plain === toFileStem(plain);
}

/** File of the folder, or memory that the folder lacks, with its effect on the store. */
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
  const { client } = await flow.service.reach(store.connection, 'change');
  const folder = await askFolder(t('Write Folder to {0}', store.label), t('Select Folder'));
  const { label } = store;
  const plan = await withProgress(t('Comparing the folder with {0}', label), new AbortController().signal, signal =>
    planWrite(client, store, folder, signal),
  );
  const wanted = await askPlan(t('Write {0} to {1}?', toLabel(folder, 200), label), actsOf(plan), plan);
  const result = await doPlan(t('Writing to {0}', label), wanted, line => writeMemory(client, store, line));
  await flow.memories.touch(store);
  showDone(result.done === 1 ? t('Wrote 1 memory to {0}.', label) : t('Wrote {0} memories to {1}.', result.done, label), result);
}

function actsOf(plan: readonly WrittenFile[]): readonly Choice<readonly WrittenFile[]>[] {
  const { t } = vscode.l10n;
  const counts = countPlan(plan, t, vscode.env.language);
  const written = [...linesOf(plan, 'create'), ...linesOf(plan, 'replace')];
  const only = linesOf(plan, 'only');
  const write = { label: `$(cloud-upload) ${t('Write')}`, detail: counts, value: written };
  const mirror = {
    label: `$(trash) ${t('Write and Delete Extra Memories ({0})', only.length)}`,
    detail: t('{0}. Memories to delete from the store: {1}', counts, only.length),
    value: [...written, ...only],
  };
  return [...(written.length > 0 ? [write] : []), ...(only.length > 0 ? [mirror] : [])];
}

async function writeMemory(
  client: ServiceClient,
  { storeId }: StoreFolder,
  { act, path: at, content, memory }: WrittenFile,
): Promise<void> {
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
