import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { showInformation } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { outlineOf } from '../../../jsonl/guide/requestOutline';
import { toLabel } from '../../../shared/text';
import type { SubmissionRegistry } from '../../ledger';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { toFileName } from '../documents/requestFile';
import { findFile, findLine } from '../documents/requestPlace';
import { offersTable } from '../running/offersTable';
import { nextOf } from './answerPlaces';
import { toMark, toMarkWord } from './answerPresentation';
import { toReference } from './answerRuns';
import type { DocumentAnswers } from './documentAnswers';
import type { FailingLine } from './failingAnswers';

interface AnswerContext {
  readonly documents: RequestDocuments;
  readonly answers: DocumentAnswers;
}

/**
 * The command that shows the row of a request in the results table. `line` and `version` are as for running it; a file that no
 * extension can read, as one over 50 MB, gets its table as a whole.
 */
export async function showInResults(
  { documents, answers }: AnswerContext,
  uri: vscode.Uri | undefined,
  line: number | undefined,
  version: number | undefined,
): Promise<void> {
  const target = uri ?? activeUri();
  if (target !== undefined && documents.get(target) === undefined) {
    await runCommand('managedAgents.results.show', target);
    return;
  }
  const file = findFile(documents, target);
  await whenReady(file, answers);
  const current = findLine(file, line, version);
  const answer = current === undefined ? undefined : (await answers.look(file, [current]))?.get(current);
  if (answer?.entry === undefined) {
    throw new Error(
      answer?.isMissing === true
        ? vscode.l10n.t('The fetched results hold no answer to this request, so they have no row of it.')
        : vscode.l10n.t(
            'There is no fetched answer to this request. Create a batch from the file and, when it has ended, choose Fetch Results.',
          ),
    );
  }
  const shown = answers.shown(file);
  await runCommand('managedAgents.results.show', shown === undefined ? file.document.uri : toReference(shown), answer.id);
}

/** Goes to the next (1) or previous (-1) line without a good result, wrapping around at the end of the file. */
export async function goToFailed(
  { documents, answers, registry }: AnswerContext & { readonly registry: Pick<SubmissionRegistry, 'all'> },
  step: 1 | -1,
): Promise<void> {
  const { t } = vscode.l10n;
  const uri = activeUri();
  if (offersTable({ documents, registry }, uri)) {
    return;
  }
  const file = findFile(documents, uri);
  await whenReady(file, answers);
  if (answers.shown(file) === undefined) {
    throw new Error(
      t('No results of {0} were fetched yet. When its batch has ended, choose Fetch Results.', toLabel(toFileName(file.document.uri), 80)),
    );
  }
  const failing = await findFailing(file, answers);
  if (failing.length === 0) {
    void showInformation(t('All answers in {0} succeeded.', toLabel(toFileName(file.document.uri), 80)));
    return;
  }
  const editor = await vscode.window.showTextDocument(file.document, { viewColumn: columnOf(file), preview: false });
  const { at, isWrapped } = nextOf(failing, editor.selection.active.line, step);
  const line = failing[at]?.line ?? 0;
  show(editor, line);
  const entry = answers.entryAt(file, line);
  const place = t('{0} of {1}: {2}', at + 1, failing.length, toMarkWord(toMark(entry), t));
  const words = !isWrapped ? place : step === 1 ? t('Went on from the top. {0}', place) : t('Went on from the bottom. {0}', place);
  vscode.window.setStatusBarMessage(words, wordsMs);
}

const wordsMs = 6000;

/** An editor that someone types in may change while it is looked through; then it is looked through again. */
async function findFailing(file: OpenRequestFile, answers: DocumentAnswers): Promise<readonly FailingLine[]> {
  for (;;) {
    const found = await answers.failing(file);
    if (found !== undefined) {
      return found;
    }
    await file.requests.whenSwept();
  }
}

async function whenReady(file: OpenRequestFile, answers: DocumentAnswers): Promise<void> {
  await Promise.all([file.requests.whenSwept(), answers.whenLoaded(file)]);
}

function columnOf({ document }: OpenRequestFile): vscode.ViewColumn | undefined {
  return vscode.window.visibleTextEditors.find(editor => editor.document === document)?.viewColumn;
}

function show(editor: vscode.TextEditor, line: number): void {
  const column = outlineOf(editor.document.lineAt(line).text, false)?.start ?? 0;
  const at = new vscode.Position(line, column);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
