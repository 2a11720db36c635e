import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { toRange } from '../../../common/documents/documentChecks';
import { beginningOf } from '../../../jsonl/guide/beginningOf';
import { findOffers, type Offer, type OfferContext } from '../../../jsonl/guide/offers';
import { outlineOf } from '../../../jsonl/guide/requestOutline';
import { RequestSchema, type SchemaNode } from '../../../jsonl/guide/schemaNode';
import { toLabel } from '../../../shared/text';
import type { OpenRequestFile } from '../documents/requestDocuments';
import { onlyLine, requestScheme } from '../documents/requestFile';
import { type EditingDependencies, toModels } from '../fileWork';
import { proposeIds } from './proposeIds';

/** Number of lines above the cursor to read values from. */
const maxLinesAbove = 3;

/**
 * Suggests fields, values, models and whole requests in request files and edited requests. When invoked explicitly, also in a file whose
 * only line could become a request.
 */
export function completeRequest(
  { documents, rules }: Pick<EditingDependencies, 'documents' | 'rules'>,
  schema: RequestSchema,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
  triggerKind: vscode.CompletionTriggerKind,
): vscode.CompletionItem[] | undefined {
  const isAsked = triggerKind === vscode.CompletionTriggerKind.Invoke;
  const file = documents.get(document);
  const isPretty = isEditedRequest(document);
  if (token.isCancellationRequested || !(file !== undefined || isPretty || mayStart(schema, document, position.line, isAsked))) {
    return undefined;
  }
  const models = rules.models();
  const context = { models: models && toModels(models), isPretty, ...(file && toContext(file, position.line)) };
  const { text, start, cursor } = requestTextAt(document, position);
  const found = findOffers(schema, text, cursor, context);
  if (found.isRemote && !isAsked) {
    return undefined;
  }
  // VS Code rejects a range that doesn't contain the cursor.
  const range = toRange(document, { start: start + Math.min(found.start, cursor), end: start + Math.max(found.end, cursor) });
  const comma = found.commaAt === undefined ? [] : [vscode.TextEdit.insert(document.positionAt(start + found.commaAt), ',')];
  return found.offers.map(offer => toItem(offer, range, comma));
}

/** Returns whether a document that doesn't look like requests yet may get suggestions. */
function mayStart(schema: RequestSchema, document: vscode.TextDocument, line: number, isAsked: boolean): boolean {
  const only = onlyLine(document);
  const beginning = only === undefined ? undefined : beginningOf(schema, document.lineAt(only).text);
  // A line without an id could become anything, so suggestions appear only on request.
  return beginning === 'any' ? isAsked : line === only && (beginning === 'request' || (beginning === 'object' && isAsked));
}

/** Returns the context for suggestions on a line, from the lines around it. */
function toContext(file: OpenRequestFile, line: number): OfferContext {
  return {
    ids: proposedIds(file, line),
    isBare: findBefore(line, before => file.checker?.lineInfo(before)?.kind) === 'params',
    like: findBefore(line, before => file.document.lineAt(before).text.trim() || undefined),
  };
}

/** Returns ids to suggest for a line. They continue the ids above it and the last id of the file. */
function proposedIds(file: OpenRequestFile, line: number): readonly string[] {
  const above = findBefore(line, candidate => idOf(file, candidate));
  const last = findBefore(file.document.lineCount, candidate => (candidate === line ? undefined : idOf(file, candidate)));
  const previous = [above, last].filter(id => id !== undefined);
  return proposeIds([...new Set(previous)], id => {
    const existing = file.checker?.lineOfId(id);
    return existing !== undefined && existing !== line;
  });
}

function idOf({ document, checker }: OpenRequestFile, line: number): string | undefined {
  const info = checker?.lineInfo(line);
  return info === undefined ? outlineOf(document.lineAt(line).text, false)?.customId : info.customId;
}

function findBefore<T>(line: number, find: (line: number) => T | undefined): T | undefined {
  for (let before = line - 1; before >= Math.max(0, line - maxLinesAbove); before--) {
    const found = find(before);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function toItem(offer: Offer, range: vscode.Range, additionalTextEdits: vscode.TextEdit[]): vscode.CompletionItem {
  const label = { label: toLabel(offer.label, 100), ...(offer.detail !== '' && { description: toLabel(offer.detail, 60) }) };
  const item = new vscode.CompletionItem(label, itemKinds[offer.kind]);
  item.range = range;
  item.insertText = new vscode.SnippetString(offer.insert);
  item.additionalTextEdits = additionalTextEdits;
  item.filterText = offer.filter;
  item.sortText = `${String(offer.rank + 5000).padStart(5, '0')} ${offer.label}`;
  if (offer.words !== '') {
    // The descriptions of a field and of its deprecation are translated separately.
    const paragraphs = offer.words.split('\n\n').map(paragraph => vscode.l10n.t(paragraph));
    item.documentation = new vscode.MarkdownString(paragraphs.join('\n\n'));
  }
  if (offer.isDeprecated) {
    item.tags = [vscode.CompletionItemTag.Deprecated];
  }
  if (offer.asksNext) {
    item.command = { command: 'editor.action.triggerSuggest', title: vscode.l10n.t('Suggest') };
  }
  return item;
}

const itemKinds: Readonly<Record<Offer['kind'], vscode.CompletionItemKind>> = {
  field: vscode.CompletionItemKind.Property,
  model: vscode.CompletionItemKind.Constant,
  value: vscode.CompletionItemKind.Value,
  snippet: vscode.CompletionItemKind.Snippet,
};

/** Reads the schema of requests from the extension's files. */
export async function readRequestSchema(extension: vscode.Uri): Promise<RequestSchema> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'media/schemas/request.schema.json'));
  return new RequestSchema(JSON.parse(new TextDecoder().decode(bytes)) as SchemaNode);
}

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

/** Returns whether a document is a single request that spans several lines. */
export function isEditedRequest({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === requestScheme;
}

/**
 * Returns the text of the request at a position. This is a line of a request file, or the whole document of an edited request. `start` is
 * the offset of the text in the document. `cursor` is the offset of the position in the text.
 */
export function requestTextAt(document: vscode.TextDocument, position: vscode.Position) {
  const offset = document.offsetAt(position);
  return isEditedRequest(document)
    ? { text: document.getText(), start: 0, cursor: offset }
    : { text: document.lineAt(position.line).text, start: offset - position.character, cursor: position.character };
}
