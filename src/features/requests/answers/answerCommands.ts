import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { toLabel } from '../../../shared/text';
import type { SubmissionRegistry } from '../../ledger';
import { findFileOrShowTable, findLine, type RequestTarget } from '../documents/findRequest';
import type { RequestDocuments } from '../documents/requestDocuments';
import { showLine } from '../language/goToRequest';
import { toFetchedAnswerDocument } from './answerHover';
import { nextOf } from './answerPositions';
import { toMark, toMarkWord } from './answerPresentation';
import type { DocumentAnswers } from './documentAnswers';
import type { FailingLine } from './submissionAnswerFiles';

const messageMs = 6000;

/**
 * Moves to the next (1) or previous (-1) line without a good result, wrapping around at the end of the file. If extensions can't read the
 * lines of the file, shows the results table.
 */
export async function goToFailed(
  context: {
    readonly documents: RequestDocuments;
    readonly answers: DocumentAnswers;
    readonly registry: Pick<SubmissionRegistry, 'all'>;
  },
  step: 1 | -1,
): Promise<void> {
  const { t } = vscode.l10n;
  const { answers } = context;
  const file = await findFileOrShowTable(context);
  if (file === undefined) {
    return;
  }
  const { document } = file;
  await answers.whenLoaded(file);
  const ofFile = answers.of(file);
  if (ofFile?.shown === undefined) {
    throw new Error(t('Fetch the results first.'));
  }
  let failing: readonly FailingLine[] | undefined;
  while (failing === undefined) {
    // `failing` returns `undefined` if the document was edited meanwhile.
    await file.whenSwept();
    failing = await ofFile.failing();
  }
  if (failing.length === 0) {
    void showInformation(t('All answers succeeded.'));
    return;
  }
  const viewColumn = vscode.window.visibleTextEditors.find(editor => editor.document === document)?.viewColumn;
  const editor = await vscode.window.showTextDocument(document, { viewColumn, preview: false });
  const { at, isWrapped } = nextOf(failing, editor.selection.active.line, step);
  const line = failing[at]?.line ?? 0;
  showLine(editor, line);
  const position = t('{0} of {1}: {2}', at + 1, failing.length, toMarkWord(toMark(ofFile.entryAt(line)), t));
  vscode.window.setStatusBarMessage(isWrapped ? t('{0} (wrapped around)', position) : position, messageMs);
}

interface OpenAnswerParts {
  readonly documents: RequestDocuments;
  readonly answers: DocumentAnswers;
  readonly pages: ReadonlyDocuments;
  readonly registry: Pick<SubmissionRegistry, 'all'>;
}

/** Shows the whole fetched answer of a request in a document next to its file. */
export async function openAnswer(context: OpenAnswerParts, target: RequestTarget): Promise<void> {
  const { t } = vscode.l10n;
  const { answers, pages } = context;
  const file = await findFileOrShowTable(context, target.file);
  if (file === undefined) {
    return;
  }
  const found = await answers.of(file)?.answerAt(findLine(file, target));
  const read = found?.entry && (await answers.of(file)?.read(found.entry));
  if (found === undefined || read === undefined) {
    throw new Error(t('Fetch the results first.'));
  }
  const text = toFetchedAnswerDocument(found, read, { translate: t, locale: vscode.env.language, now: Date.now() });
  const page = pages.create(`${t('Answer to {0}', toLabel(found.id, 60))}.md`, text);
  const document = await vscode.workspace.openTextDocument(page);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}
