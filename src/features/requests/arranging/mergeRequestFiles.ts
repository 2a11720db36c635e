import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { CancelledError } from '../../../common/cancellation';
import type { MergeIds, MergeSurvey } from '../../../jsonl/arranging/arrangingJobs';
import { idPrefixes } from '../../../jsonl/arranging/idPrefixes';
import { toLabel } from '../../../shared/text';
import { withoutEnd } from '../../../shared/trim';
import { nameOf } from '../building/nameOf';
import { withFileOnDisk } from '../documents/fileOnDisk';
import {
  count,
  createBatchOf,
  describeOthers,
  type FileWorkDependencies,
  placeBeside,
  requestsOf,
  snapshotFolder,
  stemOf,
  tellWritten,
  work,
} from '../fileWork';

/** Files of the workspace that are offered at most. */
const mostFiles = 500;

/** The command that puts request files behind each other: those selected in the explorer, or those the user chooses in order. */
export async function mergeFiles(
  deps: FileWorkDependencies,
  file: vscode.Uri | undefined,
  selected: readonly vscode.Uri[] | undefined,
): Promise<void> {
  const chosen = selected !== undefined && selected.length > 1 ? [...selected].sort(byName) : await chooseFiles(file);
  await withFilesOnDisk(chosen, snapshotFolder(deps), paths => merge(deps, chosen, paths));
}

function byName(a: vscode.Uri, b: vscode.Uri): number {
  return a.path.localeCompare(b.path, undefined, { numeric: true });
}

async function withFilesOnDisk(
  files: readonly vscode.Uri[],
  folder: string,
  use: (paths: readonly string[]) => Promise<void>,
  paths: readonly string[] = [],
): Promise<void> {
  const next = files[paths.length];
  if (next === undefined) {
    await use(paths);
    return;
  }
  await withFileOnDisk(next, folder, file => withFilesOnDisk(files, folder, use, [...paths, file]));
}

async function merge(deps: FileWorkDependencies, files: readonly vscode.Uri[], paths: readonly string[]): Promise<void> {
  const { t } = vscode.l10n;
  const survey = await work(deps, t('Looking through the files'), 'surveyMerge', { paths });
  const ids = survey.repeatedIds === 0 ? ({ kind: 'keep' } as const) : await askIds(files, survey);
  const [first = vscode.Uri.file('')] = files;
  const outPath = await placeBeside({
    beside: first,
    name: `${commonStem(files.map(stemOf))}.merged.jsonl`,
    title: t('Save the Merged Requests'),
  });
  if (files.some(({ scheme, fsPath }) => scheme === 'file' && path.relative(fsPath, outPath) === '')) {
    throw new Error(t('{0} is one of the files that are read. Choose another name.', toLabel(outPath, 300)));
  }
  const report = await work(deps, t('Merging the files'), 'mergeFiles', { paths, outPath, ids });
  const message = [
    t('Wrote {0} of {1} files to {2}.', requestsOf(report.written), count(files.length), toLabel(path.basename(outPath), 80)),
  ];
  if (report.dropped > 0) {
    message.push(t('{0} that repeat an earlier one were dropped.', requestsOf(report.dropped)));
  }
  if (report.shortened > 0) {
    message.push(
      t(
        'The ids of {0} became too long with the file name before them and were cut, with a hash at their end.',
        requestsOf(report.shortened),
      ),
    );
  }
  const broken = survey.files.flatMap(other => other.broken.first);
  const others = {
    blank: survey.files.reduce((sum, other) => sum + other.blank, 0),
    broken: { count: survey.files.reduce((sum, other) => sum + other.broken.count, 0), first: broken },
  };
  tellWritten(deps, `${message.join(' ')}${describeOthers(others)}`, outPath, createBatchOf(outPath));
}

/** `a.part-001`, `a.part-002` -> `a`; names without a begin in common give that of the first. */
function commonStem(stems: readonly string[]): string {
  const [first = 'requests'] = stems;
  let length = first.length;
  for (const stem of stems) {
    while (!stem.startsWith(first.slice(0, length))) {
      length--;
    }
  }
  const common = withoutEnd(withoutEnd(first.slice(0, length), '-_. 0').replace(/part$/i, ''), '-_. ');
  return common.length >= 2 ? common : first;
}

async function askIds(files: readonly vscode.Uri[], survey: MergeSurvey): Promise<MergeIds> {
  const { t } = vscode.l10n;
  const prefixes = idPrefixes(files.map(uri => path.posix.basename(uri.path)));
  const [example] = survey.examples;
  const others = survey.repeatedIds - survey.repeats;
  const kind = await askChoice<MergeIds['kind']>({
    title: t('Merge Request Files'),
    placeholder:
      example === undefined
        ? t('Ids are used more than once')
        : t(
            '{0}: {1}, on line {2} of {3}, is used on line {4} of {5} before',
            survey.repeatedIds === 1 ? t('1 id is used again') : t('{0} ids are used again', count(survey.repeatedIds)),
            toLabel(example.id, 64),
            count(example.line + 1),
            toLabel(path.posix.basename(files[example.file]?.path ?? ''), 60),
            count(example.firstLine + 1),
            toLabel(path.posix.basename(files[example.firstFile]?.path ?? ''), 60),
          ),
    choices: [
      {
        label: t('Put the file name before every id'),
        detail: t('{0} and so on; no two files share an id then', `${prefixes[0]}-...`),
        value: 'prefix',
      },
      {
        label: t('Drop requests that repeat an earlier one'),
        detail:
          others === 0
            ? t('Same id and same params: {0}. No id is used again then', requestsOf(survey.repeats))
            : t('Same id and same params: {0}. {1} more with a used id stay', requestsOf(survey.repeats), count(others)),
        value: 'dropRepeats',
      },
      {
        label: t('Keep everything as it is'),
        detail: t('The check names the ids; a batch cannot be made before they differ'),
        value: 'keep',
      },
    ],
  });
  return kind === 'prefix' ? { kind, prefixes } : { kind };
}

/** Lets the user choose files one after the other; their order is that of the result. */
async function chooseFiles(file: vscode.Uri | undefined): Promise<readonly vscode.Uri[]> {
  const { t } = vscode.l10n;
  const found = (await vscode.workspace.findFiles('**/*.{jsonl,ndjson}', '**/{node_modules,.managed-agents}/**', mostFiles)).sort(byName);
  const chosen: vscode.Uri[] = file === undefined ? [] : [file];
  for (;;) {
    const taken = new Set(chosen.map(String));
    const choices: Choice<vscode.Uri | 'browse' | 'done'>[] = [
      ...(chosen.length > 1 ? [{ label: `$(check) ${t('Merge these {0} files', count(chosen.length))}`, value: 'done' as const }] : []),
      ...found
        .filter(uri => !taken.has(uri.toString()))
        .map(uri => ({ label: nameOf(uri), description: toLabel(vscode.workspace.asRelativePath(uri), 200), value: uri })),
      separator(''),
      { label: `$(folder-opened) ${t('Browse...')}`, value: 'browse', alwaysShow: true },
    ];
    const choice = await askChoice({
      title: t('Merge Request Files'),
      placeholder: chosen.length === 0 ? t('Which file comes first?') : t('Which comes behind {0}?', chosen.map(nameOf).join(', ')),
      choices,
    });
    if (choice === 'done') {
      return chosen;
    }
    chosen.push(...(choice === 'browse' ? await browse() : [choice]));
  }
}

async function browse(): Promise<readonly vscode.Uri[]> {
  const opened = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Merge Request Files'),
    canSelectMany: true,
    filters: { [vscode.l10n.t('JSON Lines')]: ['jsonl', 'ndjson'] },
  });
  if (opened === undefined) {
    throw new CancelledError();
  }
  return opened.sort(byName);
}
