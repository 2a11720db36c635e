import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { askText } from '../../../common/asking/askSteps';
import { askFolder, canWriteTo, exists, writableFolderOf } from '../../../common/asking/newFile';
import { NothingToDoError } from '../../../common/asking/nothingToDo';
import { askModal, showWarning } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import type { SplitPlan } from '../../../jsonl/arranging/splitPlan';
import type { BatchLimits } from '../../../jsonl/checking/batchFileReport';
import { toByteSize, toLabel } from '../../../shared/text';
import {
  count,
  createBatchOf,
  describeOthers,
  type FileWorkDependencies,
  offerActs,
  requestsOf,
  runJob,
  type SourceFile,
  showWritten,
} from '../fileWork';

const { t } = vscode.l10n;

const maxParts = 1000;

/** Writes a request file in parts that each fit into one batch. */
export async function splitFile(deps: FileWorkDependencies, source: SourceFile, limits: BatchLimits): Promise<void> {
  const prompt = t('For example, "3 parts", "1000 requests" or "50 MB"');
  const text = await askText({
    title: t('Split into Parts'),
    prompt,
    value: t('{0} requests', String(Math.min(10_000, limits.maxRequests))),
    validate: given => (parseSplitWish(given, limits) === undefined ? prompt : undefined),
  });
  const partSize = parseSplitWish(text, limits) ?? { limits };
  let plan = await planFor(deps, source, partSize);
  const parts = plan.leastParts ?? plan.parts.length;
  if (parts > maxParts) {
    throw new Error(t('At most {1} parts are allowed. Choose larger parts.', count(parts), count(maxParts)));
  }
  if (plan.leastParts !== undefined) {
    plan = await planFor(deps, source, { ...partSize, parts: plan.leastParts });
  }
  if (plan.parts.length === 1 && plan.bare === 0) {
    throw new NothingToDoError(t('{0} needs no split.', source.name));
  }
  const outPaths = await pathsOfParts(source, plan);
  await runJob(deps, t('Splitting {0}', source.name), 'splitFile', { path: source.path, plan, outPaths });
  showParts(deps, source, plan, outPaths, await countOldParts(source.stem, outPaths));
}

/** Returns the number of parts of an earlier split that this split did not replace. */
async function countOldParts(stem: string, outPaths: readonly string[]): Promise<number> {
  const names = new Set(outPaths.map(file => path.basename(file)));
  const present = await readdir(path.dirname(outPaths[0] ?? ''));
  const start = `${stem}.part-`;
  return present.filter(name => name.startsWith(start) && /^\d+\.jsonl$/.test(name.slice(start.length)) && !names.has(name)).length;
}

async function planFor(deps: FileWorkDependencies, source: SourceFile, wish: SplitWish): Promise<SplitPlan> {
  const plan = await runJob(deps, t('Reading {0}', source.name), 'planSplit', { path: source.path, ...wish });
  const [tooLarge] = plan.tooLarge.first;
  if (tooLarge !== undefined) {
    const [line, bytes] = tooLarge;
    const sizes = [bytes, wish.limits.maxBytes].map(value => toByteSize(value, vscode.env.language));
    const message = t('Line {0} of {1} has {2}, more than {3}.', count(line + 1), source.name, ...sizes);
    const show = () => vscode.commands.executeCommand('vscode.open', source.uri.with({ fragment: `L${line + 1}` }));
    offerActs(deps, message, [{ label: t('Show Line'), run: show }], showWarning);
    throw new CancelledError();
  }
  return plan;
}

/** Returns the paths of the parts, next to the source if its folder is writable. Asks before replacing existing files. */
async function pathsOfParts({ uri, stem }: SourceFile, { parts }: SplitPlan): Promise<readonly string[]> {
  const digits = Math.max(3, String(parts.length).length);
  const names = parts.map((_, index) => `${stem}.part-${String(index + 1).padStart(digits, '0')}.jsonl`);
  let folder = (await writableFolderOf(uri)) ?? (await askWritableFolder());
  for (;;) {
    const files = names.map(name => path.join(folder, name));
    const existing = (await Promise.all(files.map(exists))).filter(Boolean).length;
    if (existing === 0) {
      return files;
    }
    const replace = t('Replace');
    const elsewhere = t('Select a folder');
    const choice = await askModal(
      t('Existing parts: {0}. Replace them?', count(existing)),
      { detail: toLabel(path.join(folder, `${stem}.part-*.jsonl`), 500) },
      // Enter selects the first choice, so it must not lose data.
      elsewhere,
      replace,
    );
    if (choice === replace) {
      return files;
    }
    if (choice !== elsewhere) {
      throw new CancelledError();
    }
    folder = await askWritableFolder(folder);
  }
}

async function askWritableFolder(start?: string): Promise<string> {
  const folder = await askFolder(t('Select a folder'), t('Write Here'), start === undefined ? undefined : vscode.Uri.file(start));
  if (!(await canWriteTo(folder))) {
    throw new Error(t("Can't write to {0}. Choose another folder.", toLabel(folder, 300)));
  }
  return folder;
}

function showParts(deps: FileWorkDependencies, source: SourceFile, plan: SplitPlan, outPaths: readonly string[], oldParts: number): void {
  const [first = ''] = outPaths;
  const name = toLabel(path.basename(first), 80);
  const parts = outPaths.length === 1 ? t('1 part') : t('{0} parts', count(outPaths.length));
  const sentences = [
    t('Split {0} of {1} into {2}, starting with {3}.', requestsOf(plan.requests), source.name, parts, name),
    ...(plan.bare === 0 ? [] : [t('IDs added: {0}.', requestsOf(plan.bare))]),
    ...(oldParts === 0 ? [] : [t('Parts left from an earlier split: {0}.', count(oldParts))]),
  ];
  showWritten(deps, `${sentences.join(' ')}${describeOthers(plan)}`, first, createBatchOf(first));
}

/** Size of the parts of a split. */
interface SplitWish {
  readonly limits: BatchLimits;
  readonly parts?: number;
}

/** Parses `3 parts`, `1000 requests` or `50 MB`. Never exceeds the limits. Returns `undefined` for any other text. */
export function parseSplitWish(text: string, limits: BatchLimits): SplitWish | undefined {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,11})\s*(parts?|requests?|mb)$/i.exec(text.trim()) ?? [];
  const number = Number(digits);
  switch (unit.toLowerCase().replace(/s$/, '')) {
    case 'part':
      return { limits, parts: number };
    case 'request':
      return { limits: { ...limits, maxRequests: Math.min(number, limits.maxRequests) } };
    case 'mb':
      return { limits: { ...limits, maxBytes: Math.min(number * 1_000_000, limits.maxBytes) } };
    default:
      return undefined;
  }
}
