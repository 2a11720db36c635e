import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { findOffers } from '../../../jsonl/guide/offers';
import { onlyLine } from '../documents/requestFile';
import type { EditingDependencies } from '../editingDependencies';
import { toModels } from './modelChoices';
import { readRequestSchema, toContext } from './requestCompletionProvider';

/** Adds a request with placeholders at the end of the given, the active or a new request file. */
export async function createRequest(
  { context, documents, rules }: Pick<EditingDependencies, 'context' | 'documents' | 'rules'>,
  given: vscode.Uri | undefined,
): Promise<void> {
  const schema = await readRequestSchema(context.extensionUri);
  const document = await documentFor(documents, given ?? activeUri());
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const file = documents.get(document);
  const { range, isEmptyOrWhitespace: isBlank } = document.lineAt(document.lineCount - 1);
  const line = document.lineCount - (isBlank ? 1 : 0);
  const target = file === undefined ? new vscode.Range(0, 0, document.lineCount, 0) : range.end;
  const models = rules.models();
  const [offer] = findOffers(schema, '', 0, { models: models && toModels(models), ...(file && toContext(file, line)) }).offers;
  if (offer !== undefined) {
    await editor.insertSnippet(new vscode.SnippetString(`${isBlank ? '' : '\n'}${offer.insert}`), target);
  }
}

async function documentFor(documents: EditingDependencies['documents'], uri: vscode.Uri | undefined): Promise<vscode.TextDocument> {
  const open = uri === undefined || !/\.(?:jsonl|ndjson)$/i.test(uri.path) ? undefined : await vscode.workspace.openTextDocument(uri);
  const isFit = open !== undefined && (documents.get(open) !== undefined || onlyLine(open) !== undefined);
  return isFit ? open : await vscode.workspace.openTextDocument({ language: 'jsonl' });
}
