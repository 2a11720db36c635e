import * as vscode from 'vscode';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { toLabel } from '../../../shared/text';
import type { SubmissionRegistry } from '../../ledger';
import { toFetchedAnswerDocument } from '../answers/answerHover';
import type { DocumentAnswers } from '../answers/documentAnswers';
import type { RequestDocuments } from '../documents/requestDocuments';
import { findFileOrShowTable, findLine } from '../documents/findRequest';
import type { RequestTarget } from '../documents/requestTarget';

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
