import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { toLabel } from '../../../shared/text';
import type { SubmissionRegistry } from '../../ledger';
import { findFileOrShowTable, findLine } from '../documents/findRequest';
import type { RequestDocuments } from '../documents/requestDocuments';
import type { RequestTarget } from '../documents/requestFile';
import { showLine } from '../language/goToRequest';
import { toFetchedAnswerDocument } from './answerHover';
import { toMark, toMarkWord } from './answerPresentation';
import type { DocumentAnswers } from './documentAnswers';
import type { FailingLine } from './submissionAnswerFiles';

const messageMs = 6000;

interface AnswerContext {
  readonly documents: RequestDocuments;
  readonly answers: DocumentAnswers;
  readonly registry: Pick<SubmissionRegistry, 'all'>;
}

/**
 * Moves to the next (1) or previous (-1) line without a good result, wrapping around at the end of the file. If extensions can't read the
 * lines of the file, shows the results table.
 */
export async function goToFailed(context: AnswerContext, step: 1 | -1): Promise<void> {
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

/** Shows the whole fetched answer of a request in a document next to its file. */
export async function openAnswer(context: AnswerContext & { readonly pages: ReadonlyDocuments }, target: RequestTarget): Promise<void> {
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

/** Returns the index in `lines` (ascending, not empty) of the next (1) or previous (-1) line, and whether the search wrapped around. */
export function nextOf(
  lines: readonly { readonly line: number }[],
  from: number,
  step: 1 | -1,
): { readonly at: number; readonly isWrapped: boolean } {
  const at = step === 1 ? lines.findIndex(({ line }) => line > from) : lines.findLastIndex(({ line }) => line < from);
  return at >= 0 ? { at, isWrapped: false } : { at: step === 1 ? 0 : lines.length - 1, isWrapped: true };
}
