import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { showInformation } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import type { SubmissionRegistry } from '../../ledger';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { showLine } from '../language/goToRequest';
import { findFile, hasTableOnly } from '../documents/findRequest';
import { nextOf } from './answerPositions';
import { toMark, toMarkWord } from './answerPresentation';
import type { DocumentAnswers } from './documentAnswers';
import type { FailingLine } from './failingAnswers';

interface AnswerContext {
  readonly documents: RequestDocuments;
  readonly answers: DocumentAnswers;
}

/**
 * Moves to the next (1) or previous (-1) line without a good result, wrapping around at the end of the file. Shows the results table for a
 * file whose lines extensions cannot read.
 */
export async function goToFailed(
  { documents, answers, registry }: AnswerContext & { readonly registry: Pick<SubmissionRegistry, 'all'> },
  step: 1 | -1,
): Promise<void> {
  const { t } = vscode.l10n;
  const uri = activeUri();
  if (hasTableOnly({ documents, registry }, uri)) {
    await runCommand('managedAgents.results.show', uri);
    return;
  }
  const file = findFile(documents, uri);
  await whenReady(file, answers);
  if (answers.of(file)?.shown === undefined) {
    throw new Error(t('Fetch the results first.'));
  }
  const failing = await findFailing(file, answers);
  if (failing.length === 0) {
    void showInformation(t('All answers succeeded.'));
    return;
  }
  const editor = await vscode.window.showTextDocument(file.document, { viewColumn: columnOf(file), preview: false });
  const { at, isWrapped } = nextOf(failing, editor.selection.active.line, step);
  const line = failing[at]?.line ?? 0;
  showLine(editor, line);
  const entry = answers.of(file)?.entryAt(line);
  const position = t('{0} of {1}: {2}', at + 1, failing.length, toMarkWord(toMark(entry), t));
  const words = !isWrapped ? position : t('{0} (wrapped around)', position);
  vscode.window.setStatusBarMessage(words, wordsMs);
}

const wordsMs = 6000;

/** Returns the lines without a good result. Searches again if the document is edited meanwhile. */
async function findFailing(file: OpenRequestFile, answers: DocumentAnswers): Promise<readonly FailingLine[]> {
  for (;;) {
    const found = await answers.of(file)?.failing();
    if (found !== undefined) {
      return found;
    }
    await file.whenSwept();
  }
}

async function whenReady(file: OpenRequestFile, answers: DocumentAnswers): Promise<void> {
  await Promise.all([file.whenSwept(), answers.whenLoaded(file)]);
}

function columnOf({ document }: OpenRequestFile): vscode.ViewColumn | undefined {
  return vscode.window.visibleTextEditors.find(editor => editor.document === document)?.viewColumn;
}
