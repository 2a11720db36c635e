import { lstat, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../client/serviceClient';
import { askFolder } from '../../../../common/asking/newFile';
import { withProgress } from '../../../../common/asking/progress';
import { isInToolFolder, isToolFolder } from '../../../../common/files/isInToolFolder';
import { toFileStem } from '../../../../common/text/fileStem';
import type { Translate } from '../../../../common/text/translate';
import { type FileStamp, stampOfFile } from '../../../../jsonl/files/publishing';
import { WholeFile } from '../../../../jsonl/files/wholeFile';
import { toLabel } from '../../../../shared/text';
import type { ResourceFlow } from '../../resourceFlow';
import type { StoreFolder } from '../memoryTarget';
import { askPlan, countPlan, doPlan, linesOf, maxFiles, memoriesBelow, type PlannedLine, showDone } from './storePlan';

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
  const { client } = await flow.service.reach(store.connection, 'user');
  const folder = await askFolder(t('Copy {0} to Folder', store.label), t('Copy Here'));
  if (await isInToolFolder(path.join(folder, 'file'))) {
    throw new Error(t("Can't save into .git or .vscode. Choose another folder."));
  }
  const { label } = store;
  const plan = await withProgress(t('Reading {0}', label), new AbortController().signal, signal => planCopy(client, store, folder, signal));
  const wanted = [...linesOf(plan, 'create'), ...linesOf(plan, 'replace')];
  const where = toLabel(folder, 200);
  const detail = countPlan(plan, t, vscode.env.language);
  const acts = wanted.length === 0 ? [] : [{ label: `$(check) ${t('Copy')}`, detail, value: wanted }];
  await askPlan(t('Copy {0} to {1}?', label, where), acts, plan);
  const result = await doPlan(t('Copying {0}', label), wanted, line => write(folder, line));
  showDone(t('Copied {0} memories to {1}.', result.done, where), result);
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

/** Returns the reason why a file can't be written: a link, or a file in place of a folder. */
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
async function write(folder: string, { file, content, stamp }: CopiedFile): Promise<void> {
  const target = path.join(folder, ...file.split('/'));
  if ((await inTheWay(folder, file)) !== undefined || (await stampOfFile(target)) !== stamp) {
    throw new Error(vscode.l10n.t('changed on disk in the meantime'));
  }
  await mkdir(path.dirname(target), { recursive: true });
  await WholeFile.write(target, content);
}

/**
 * Maps memory paths to equal file paths, so that the folder can be written back. Refuses a path that leaves the folder, has a special
 * meaning to a system or a tool, differs from another one only in case, or conflicts with another one. Returns relative paths with `/` as
 * separator, and the reasons of refusals as sentences, both by memory path.
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

/** Returns whether a name means the same on every system: `toFileStem` leaves it unchanged, apart from one leading dot. */
function isPlainName(name: string): boolean {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  return plain !== '' && plain === toFileStem(plain);
}
