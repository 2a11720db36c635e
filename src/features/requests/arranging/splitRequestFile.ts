import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, askText, runSteps, type Step } from '../../../common/asking/askSteps';
import { canWriteTo, exists, writableFolderOf } from '../../../common/asking/newFile';
import { askModal, showInformation, showWarning } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import { runCommand } from '../../../common/commands';
import type { SplitPlan } from '../../../jsonl/arranging/arrangingJobs';
import type { BatchLimits } from '../../../jsonl/checking/batchFileReport';
import { toByteSize, toLabel } from '../../../shared/text';
import { defaultLimits } from '../../connection';
import {
  afterAnswer,
  count,
  createBatchOf,
  describeOthers,
  type FileWorkDependencies,
  requestsOf,
  type SourceFile,
  tellWritten,
  withSource,
  work,
} from '../fileWork';
import { isOneBatch, toLimitsChoice } from './splitPresentation';

/** More files than that are hardly meant. */
const mostParts = 1000;

/** How the user wants a file split. */
interface Wish {
  readonly limits: BatchLimits;
  readonly parts?: number;
}

/** The command that splits a request file into parts that each fit into one batch. */
export async function splitFile(deps: FileWorkDependencies, given: vscode.Uri | undefined): Promise<void> {
  const question = { question: vscode.l10n.t('Split which file?'), openLabel: vscode.l10n.t('Split') };
  await withSource(deps, given, question, async source => {
    const { connections } = deps;
    const limits = connections.current?.limits ?? defaultLimits;
    let wish = await askWish(limits, connections.current?.name);
    let plan = await planFor(deps, source, wish);
    if (plan.leastParts !== undefined) {
      wish = { ...wish, parts: await askForMore(source, plan, plan.leastParts) };
      plan = await planFor(deps, source, wish);
    }
    if (isOneBatch(plan)) {
      tellOneBatch(deps, source, plan);
      return;
    }
    const outPaths = await placeForParts(source, plan);
    await work(deps, vscode.l10n.t('Splitting {0}', source.name), 'splitFile', { path: source.path, plan, outPaths });
    tellParts(deps, source, plan, outPaths, await countOldParts(source.stem, outPaths));
  });
}

/** Tells that there is nothing to split. */
function tellOneBatch(deps: FileWorkDependencies, { uri, name }: SourceFile, { requests }: SplitPlan): void {
  const create = vscode.l10n.t('Create Batch');
  const message = vscode.l10n.t('{0} fits into one batch: it has {1}. Nothing was written.', name, requestsOf(requests));
  afterAnswer(deps, showInformation(message, create), choice =>
    choice === create ? runCommand('managedAgents.batch.create', uri) : undefined,
  );
}

/** Parts of an earlier split that this one did not replace. */
async function countOldParts(stem: string, outPaths: readonly string[]): Promise<number> {
  const names = new Set(outPaths.map(file => path.basename(file)));
  const standing = await readdir(path.dirname(outPaths[0] ?? ''));
  const start = `${stem}.part-`;
  return standing.filter(name => name.startsWith(start) && /^\d+\.jsonl$/.test(name.slice(start.length)) && !names.has(name)).length;
}

async function planFor(deps: FileWorkDependencies, source: SourceFile, wish: Wish): Promise<SplitPlan> {
  const plan = await work(deps, vscode.l10n.t('Looking through {0}', source.name), 'planSplit', { path: source.path, ...wish });
  if (plan.requests === 0) {
    throw new Error(vscode.l10n.t('There is no request in {0}. Nothing was written.', source.name));
  }
  const [tooLarge] = plan.tooLarge.first;
  if (tooLarge !== undefined) {
    const line = count(tooLarge[0] + 1);
    const size = toByteSize(tooLarge[1], vscode.env.language);
    const most = toByteSize(wish.limits.maxBytes, vscode.env.language);
    showLine(deps, source, tooLarge[0], [
      plan.tooLarge.count === 1
        ? vscode.l10n.t('Line {0} of {1} alone makes a batch of {2}, more than {3}.', line, source.name, size, most)
        : vscode.l10n.t(
            '{0} lines of {1} alone are too large for a batch: line {2} makes one of {3}, more than {4}.',
            count(plan.tooLarge.count),
            source.name,
            line,
            size,
            most,
          ),
      vscode.l10n.t('Shorten it or take it out, then split again. Nothing was written.'),
    ]);
    throw new CancelledError();
  }
  if (plan.parts.length > mostParts && plan.leastParts === undefined) {
    throw new Error(
      vscode.l10n.t('That would make {0} parts, more than {1}. Choose larger parts.', count(plan.parts.length), count(mostParts)),
    );
  }
  return plan;
}

/** Warns, and leads to a line when the user wants. */
function showLine(deps: FileWorkDependencies, { uri }: SourceFile, line: number, sentences: readonly string[]): void {
  const show = vscode.l10n.t('Show the Line');
  afterAnswer(deps, showWarning(sentences.join(' '), show), choice =>
    choice === show ? vscode.commands.executeCommand('vscode.open', uri.with({ fragment: `L${line + 1}` })) : undefined,
  );
}

async function askWish(limits: BatchLimits, connection: string | undefined): Promise<Wish> {
  const { t } = vscode.l10n;
  const title = t('Split Request File');
  let wish: Wish = { limits };
  const askNumber = (prompt: string, value: string, take: (number: number) => void): Step => {
    return async canGoBack => {
      const validate = (text: string) => (/^[1-9]\d{0,11}$/.test(text.trim()) ? undefined : t('Give a whole number of at least 1.'));
      take(Number((await askText({ title, prompt, value, canGoBack, validate })).trim()));
      return undefined;
    };
  };
  const steps: Readonly<Record<string, Step>> = {
    requests: askNumber(t('Requests in each part, at most'), String(Math.min(10_000, limits.maxRequests)), number => {
      wish = { limits: { ...limits, maxRequests: Math.min(number, limits.maxRequests) } };
    }),
    bytes: askNumber(t('Megabytes of the body of each batch, at most'), '100', number => {
      wish = { limits: { ...limits, maxBytes: Math.min(number * 1_000_000, limits.maxBytes) } };
    }),
    parts: askNumber(t('How many parts, each with as many requests'), '2', number => {
      wish = { limits, parts: number };
    }),
  };
  await runSteps(async canGoBack => {
    const way = await askChoice({
      title,
      placeholder: t('How should the file be split?'),
      canGoBack,
      choices: [
        { ...toLimitsChoice(limits, connection, t, vscode.env.language), value: 'limits' },
        { label: t('By number of requests...'), detail: t('Each part has so many, the last one the rest'), value: 'requests' },
        { label: t('By size...'), detail: t('The body of the batch of each part has at most so many bytes'), value: 'bytes' },
        { label: t('Into equal parts...'), detail: t('So many parts, whose numbers of requests differ by one at most'), value: 'parts' },
      ],
    });
    return steps[way];
  });
  return wish;
}

async function askForMore(source: SourceFile, plan: SplitPlan, parts: number): Promise<number> {
  const { t } = vscode.l10n;
  if (parts > mostParts) {
    throw new Error(t('{0} needs {1} equal parts to keep the limits, more than {2}.', source.name, count(parts), count(mostParts)));
  }
  return await askChoice({
    title: t('Split Request File'),
    placeholder: t('{0} parts would be beyond the limits of a batch', count(plan.parts.length)),
    choices: [{ label: t('Make {0} parts', count(parts)), detail: t('The least number that keeps the limits'), value: parts }],
  });
}

/** `<name>.part-001.jsonl` and so on, beside the source if that folder can be written to; files that are there are replaced only when the user says so. */
async function placeForParts({ uri, stem }: SourceFile, { parts }: SplitPlan): Promise<readonly string[]> {
  const { t } = vscode.l10n;
  const digits = Math.max(3, String(parts.length).length);
  const names = parts.map((_, index) => `${stem}.part-${String(index + 1).padStart(digits, '0')}.jsonl`);
  let folder = (await writableFolderOf(uri)) ?? (await askFolder(undefined));
  for (;;) {
    const files = names.map(name => path.join(folder, name));
    const standing = (await Promise.all(files.map(exists))).filter(Boolean).length;
    if (standing === 0) {
      return files;
    }
    const replace = t('Replace');
    const elsewhere = t('Other Folder...');
    const choice = await askModal(
      standing === 1
        ? t('One of the parts exists already. Replace it?')
        : t('{0} of the parts exist already. Replace them?', count(standing)),
      { detail: toLabel(path.join(folder, `${stem}.part-*.jsonl`), 500) },
      // First what loses nothing: it is what Enter presses.
      elsewhere,
      replace,
    );
    if (choice === replace) {
      return files;
    }
    if (choice !== elsewhere) {
      throw new CancelledError();
    }
    folder = await askFolder(vscode.Uri.file(folder));
  }
}

async function askFolder(defaultUri: vscode.Uri | undefined): Promise<string> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Folder for the Parts'),
    openLabel: vscode.l10n.t('Write Here'),
    canSelectFiles: false,
    canSelectFolders: true,
    defaultUri: defaultUri ?? vscode.workspace.workspaceFolders?.[0]?.uri,
  });
  const [folder] = chosen ?? [];
  if (folder?.scheme !== 'file') {
    throw new CancelledError();
  }
  if (!(await canWriteTo(folder.fsPath))) {
    throw new Error(vscode.l10n.t('Nothing can be written in {0}. Choose another folder.', toLabel(folder.fsPath, 300)));
  }
  return folder.fsPath;
}

function tellParts(deps: FileWorkDependencies, source: SourceFile, plan: SplitPlan, outPaths: readonly string[], oldParts: number): void {
  const { t } = vscode.l10n;
  const [first = ''] = outPaths;
  const name = toLabel(path.basename(first), 80);
  const written =
    outPaths.length === 1
      ? t('{0} fits into one batch: all {1} are in {2}.', source.name, requestsOf(plan.requests), name)
      : t('Split {0} of {1} into {2} parts, from {3} on.', requestsOf(plan.requests), source.name, count(outPaths.length), name);
  const ids =
    plan.bare === 0
      ? ''
      : ` ${t('Ids were written into {0} that had none: {1} by their lines in the source.', requestsOf(plan.bare), 'line-1, line-2, ...')}`;
  const create = createBatchOf(first, outPaths.length === 1 ? t('Create Batch') : t('Create Batch of the First'));
  const old =
    oldParts === 0
      ? ''
      : ` ${t('Beside them, of an earlier split, there is still: {0}.', oldParts === 1 ? t('1 part') : t('{0} parts', count(oldParts)))}`;
  tellWritten(deps, `${written}${ids}${describeOthers(plan)}${old}`, first, create);
}
