import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, askChoices } from '../../../common/asking/askSteps';
import { askFiles } from '../../../common/asking/newFile';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { idPrefixes } from '../../../jsonl/arranging/idPrefixes';
import type { MergeIds, MergeSurvey } from '../../../jsonl/arranging/mergeFiles';
import type { OtherLines } from '../../../jsonl/files/requestWalk';
import { toLabel } from '../../../shared/text';
import { withoutEnd } from '../../../shared/trim';
import { withFileOnDisk } from '../documents/fileOnDisk';
import { fileLabelOf } from '../documents/requestFile';
import {
  askNewPath,
  count,
  createBatchOf,
  describeOthers,
  type FileWorkDependencies,
  requestsOf,
  runJob,
  showWritten,
  snapshotFolder,
  stemOf,
} from '../fileWork';

const { t } = vscode.l10n;

const maxFiles = 500;

/** Writes the requests of several files to one new file, in the order of the files. */
export async function mergeFiles(deps: FileWorkDependencies, files: readonly vscode.Uri[]): Promise<void> {
  await withFilesOnDisk(files, snapshotFolder(deps), paths => merge(deps, files, paths));
}

/** Compares files by their paths, with numbers in numeric order. */
export function byName(a: vscode.Uri, b: vscode.Uri): number {
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
  const survey = await runJob(deps, t('Reading files'), 'surveyMerge', { paths });
  const ids = survey.repeatedIds === 0 ? ({ kind: 'keep' } as const) : await askIds(files, survey);
  const outPath = await askNewPath(files, `${commonStem(files.map(stemOf))}.merged.jsonl`);
  const report = await runJob(deps, t('Merging the files'), 'mergeFiles', { paths, outPath, ids });
  const message = [
    t('Wrote {0} of {1} files to {2}.', requestsOf(report.written), count(files.length), toLabel(path.basename(outPath), 80)),
    ...(report.dropped === 0 ? [] : [t('Duplicates left out: {0}.', count(report.dropped))]),
    ...(report.shortened === 0 ? [] : [t('IDs shortened to fit: {0}.', count(report.shortened))]),
  ];
  const sum = (countOf: (file: OtherLines) => number) => survey.files.reduce((all, file) => all + countOf(file), 0);
  const first = survey.files.flatMap(({ broken }) => broken.first);
  const left = { blank: sum(({ blank }) => blank), broken: { count: sum(({ broken }) => broken.count), first } };
  showWritten(deps, `${message.join(' ')}${describeOthers(left)}`, outPath, createBatchOf(outPath));
}

/** Returns the common stem: `a.part-001`, `a.part-002` -> `a`. If the names have no common start, returns the first name. */
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

async function askIds(files: readonly vscode.Uri[], { repeatedIds, repeats, example }: MergeSurvey): Promise<MergeIds> {
  const prefixes = idPrefixes(files.map(fileNameOf));
  const repeated = t('Duplicate IDs: {0}', count(repeatedIds));
  const kind = await askChoice<MergeIds['kind']>({
    title: t('Merge Request Files'),
    placeholder:
      example === undefined ? repeated : t('{0}, such as {1} on line {2}', repeated, toLabel(example.id, 64), count(example.line + 1)),
    choices: [
      {
        label: t('Prefix Every ID with the File Name'),
        detail: t('For example, {0}', `${prefixes[0]}-...`),
        value: 'prefix',
      },
      {
        label: t('Leave Out Duplicates'),
        detail: t('Duplicates: {0} of {1}', count(repeats), count(repeatedIds)),
        value: 'dropRepeats',
      },
      { label: t('Keep Everything'), detail: t('IDs must be unique in a batch'), value: 'keep' },
    ],
  });
  return kind === 'prefix' ? { kind, prefixes } : { kind };
}

/** Asks for the files to append to `file`. Returns them sorted by name. */
export async function chooseOthers(file: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const found = (await vscode.workspace.findFiles('**/*.{jsonl,ndjson}', '**/{node_modules,.managed-agents}/**', maxFiles)).sort(byName);
  const others = found.filter(uri => uri.toString() !== file.toString());
  if (others.length > 0) {
    return await askChoices({
      title: t('Merge Request Files'),
      placeholder: t('Select files to append to {0}', fileLabelOf(file)),
      choices: others.map(uri => ({
        label: fileLabelOf(uri),
        description: toLabel(vscode.workspace.asRelativePath(uri), 200),
        value: uri,
      })),
      ticked: [],
      validate: ticked => (ticked.length === 0 ? t('Select at least one.') : undefined),
    });
  }
  const opened = await askFiles({
    title: t('Merge Request Files'),
    canSelectMany: true,
    filters: { [t('JSON Lines')]: ['jsonl', 'ndjson'] },
  });
  return [...opened].sort(byName);
}
