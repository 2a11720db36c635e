import * as vscode from 'vscode';
import { askModal, showInformation } from '../../../common/asking/notifications';
import { toReport, withProgress } from '../../../common/asking/progress';
import { demandWritable } from '../../../common/asking/writable';
import { CancelledError } from '../../../common/cancellation';
import type { ChangeReport, ChangeSource, RequestChange, RetryGroup } from '../../../jsonl/retrying/retryingJobs';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { loadDocumentRewrite } from '../../requests';
import type { RunDependencies } from '../runCommands';
import { baseName } from '../sourceNames';
import { askRemedy } from './askAct';
import type { PlannedAct } from './retryCost';
import { describeAct } from './retryPresentation';
import type { RetryFile, RetrySources } from './retrySources';

/** One file with requests of a group. */
interface FileWork {
  readonly file: RetryFile;
  /** Open, and the version that was looked at. */
  readonly document: vscode.TextDocument | undefined;
  readonly version: number;
  readonly source: Omit<ChangeSource, 'isWritten'>;
  readonly report: ChangeReport;
}

/**
 * Makes one change in all requests of a group where they stand: in a document that is open as one step to undo, in other files by
 * writing them anew. What changes is shown before; no other line is touched.
 */
export async function fixGroup(
  deps: Pick<RunDependencies, 'jobs' | 'lifetime' | 'rules'>,
  group: RetryGroup,
  act: PlannedAct,
  sources: RetrySources,
): Promise<void> {
  const { t } = vscode.l10n;
  const change = await askRemedy(
    group,
    act,
    deps.rules.models()?.map(({ id }) => id),
  );
  if (change === undefined) {
    throw new CancelledError();
  }
  const works: FileWork[] = [];
  for (const [place, file] of sources.files.entries()) {
    const numbers = numbersIn(group, place);
    if (numbers.length > 0) {
      works.push(await lookAt(deps, file, change, numbers));
    }
  }
  const changed = works.reduce((sum, { report }) => sum + report.changed, 0);
  const words = describeAct(group, { change }, { translate: t, locale: vscode.env.language, now: Date.now() });
  if (changed === 0) {
    void showInformation(t('There is nothing to change: no line of these would {0}.', words));
    return;
  }
  await confirm(works, changed, words);
  for (const work of works) {
    await apply(deps, work);
  }
  const names = works.map(({ file }) => toLabel(baseName(file.source ?? file.path), 80)).join(', ');
  const number = numberFormat(vscode.env.language).format(changed);
  void showInformation(
    changed === 1 ? t('Changed 1 request in {0}: {1}.', names, words) : t('Changed {0} requests in {1}: {2}.', number, names, words),
  );
}

function numbersIn({ places }: RetryGroup, file: number): Uint32Array {
  return Uint32Array.from({ length: places.length / 2 }, (_, index) => index)
    .filter(index => places[index * 2] === file)
    .map(index => places[index * 2 + 1] as number);
}

async function lookAt(
  { jobs, lifetime }: Pick<RunDependencies, 'jobs' | 'lifetime'>,
  file: RetryFile,
  change: RequestChange,
  numbers: Uint32Array,
): Promise<FileWork> {
  const { t } = vscode.l10n;
  const name = toLabel(baseName(file.source ?? file.path), 80);
  if (file.source === undefined) {
    throw new Error(
      t('What was sent stood in an editor and was never saved to a file. Write a retry file instead: the change can be made there.'),
    );
  }
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.source);
  if (document?.isDirty) {
    const save = t('Save');
    const question = t('{0} has changes that are not saved. Save them before its lines are changed?', name);
    if ((await askModal(question, {}, save)) !== save || !(await document.save())) {
      throw new CancelledError();
    }
  }
  if (document !== undefined) {
    await demandWritable(document);
  }
  const { path, linesPath, sha256 } = file;
  const version = document?.version ?? 0;
  const source = { file: { path, linesPath, sha256 }, change, numbers };
  const report = await withProgress(t('Looking at the requests of {0}', name), lifetime, (signal, tell) =>
    jobs.run('changeRequests', { ...source, isWritten: false }, { signal, onProgress: toReport(tell) }),
  );
  return { file, document, version, source, report };
}

/** The first lines as they are and as they become. */
async function confirm(works: readonly FileWork[], changed: number, words: string): Promise<void> {
  const { t } = vscode.l10n;
  const shown = 3;
  const number = numberFormat(vscode.env.language);
  const examples = works
    .flatMap(({ report }) => report.examples)
    .slice(0, shown)
    .map(({ line, before, after }) => t('Line {0}:\n- {1}\n+ {2}', number.format(line + 1), toLabel(before, 140), toLabel(after, 140)));
  const apply = t('Change {0} Requests', number.format(changed));
  const isUndoable = works.every(({ document }) => document !== undefined);
  const note = isUndoable ? t('Undo takes it back.') : t('A file that is not open is written anew; that cannot be undone.');
  const detail = [...examples, note].join('\n\n');
  const question = changed === 1 ? t('Change 1 request: {0}?', words) : t('Change {0} requests: {1}?', number.format(changed), words);
  if ((await askModal(question, { detail }, apply)) !== apply) {
    throw new CancelledError();
  }
}

async function apply(
  { jobs, lifetime }: Pick<RunDependencies, 'jobs' | 'lifetime'>,
  { document, version, source, report }: FileWork,
): Promise<void> {
  if (document === undefined) {
    await withProgress(vscode.l10n.t('Changing requests'), lifetime, (signal, tell) =>
      jobs.run('changeRequests', { ...source, isWritten: true }, { signal, onProgress: toReport(tell) }),
    );
    return;
  }
  const { edits: columns, texts } = report;
  const edits = Array.from({ length: columns.length / 4 }, (_, index) => {
    const [line = 0, start = 0, end = 0, text = 0] = columns.subarray(index * 4, index * 4 + 4);
    return vscode.TextEdit.replace(new vscode.Range(line, start, line, end), texts[text] ?? '');
  });
  const { applyRewrite } = await loadDocumentRewrite();
  await applyRewrite(document, { edits, endsLines: false, version });
}
