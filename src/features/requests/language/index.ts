import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { toRange } from '../../../common/documents/documentChecks';
import { customIdPattern } from '../../../contract/customId';
import { explain } from '../../../jsonl/guide/explain';
import { memberOf, parseLoose, textOf } from '../../../jsonl/guide/looseJson';
import type { RequestSchema } from '../../../jsonl/guide/schemaNode';
import { findSelections } from '../../../jsonl/guide/selections';
import type { RequestDocuments } from '../documents/requestDocuments';
import { fileLabelOf, requestFileSelector, requestScheme } from '../documents/requestFile';
import { type EditingDependencies, toModels } from '../fileWork';
import { completeRequest, isEditedRequest, readRequestSchema, requestTextAt } from './completeRequest';
import { isSpecific, toHoverText } from './hoverPresentation';
import { registerSymbols } from './registerSymbols';

/**
 * Registers completion and hovers in request files and edited requests, and symbols, structural selection and renaming of ids in request
 * files.
 */
export function registerLanguage(deps: EditingDependencies): vscode.Disposable {
  const { documents, rules, log, context } = deps;
  const schema = readRequestSchema(context.extensionUri);
  schema.catch(error => log.error('The schema of requests could not be read', error));
  const { languages } = vscode;
  const selector = [...requestFileSelector, { scheme: requestScheme }];
  const completions: vscode.CompletionItemProvider = {
    provideCompletionItems: async (document, position, token, { triggerKind }) =>
      completeRequest({ documents, rules }, await schema, document, position, token, triggerKind),
  };
  return combine(
    languages.registerCompletionItemProvider(selector, completions, '"', ':', ',', '{', '['),
    languages.registerHoverProvider(selector, {
      provideHover: async (document, position, token) => explainField(deps, await schema, document, position, token),
    }),
    registerSymbols(documents),
    languages.registerSelectionRangeProvider(requestFileSelector, {
      provideSelectionRanges: (document, positions) =>
        documents.get(document) && positions.map(position => toSelectionRange(document, position)),
    }),
    languages.registerRenameProvider(requestFileSelector, {
      prepareRename: (document, position) => idAt(documents, document, position),
      provideRenameEdits: (...given) => renameId(documents, ...given),
    }),
  );
}

/** Returns the ranges to which a selection at a position expands, by the JSON structure of the line. */
function toSelectionRange(document: vscode.TextDocument, { line, character }: vscode.Position): vscode.SelectionRange {
  const spans = findSelections(document.lineAt(line).text, character);
  return spans.reduceRight<vscode.SelectionRange | undefined>(
    (parent, [start, end]) => new vscode.SelectionRange(new vscode.Range(line, start, line, end), parent),
    undefined,
  ) as vscode.SelectionRange;
}

/** Returns the `custom_id` at a position. Throws an error for the user if there is no id. */
function idAt(
  documents: RequestDocuments,
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): { range: vscode.Range; placeholder: string } {
  if (documents.get(document) === undefined) {
    throw new Error(vscode.l10n.t('{0} has no requests.', fileLabelOf(document.uri)));
  }
  const { text } = document.lineAt(line);
  const value = memberOf(text, parseLoose(text), 'custom_id')?.value;
  if (value?.kind !== 'text' || !value.closed || character < value.start || character > value.end) {
    throw new Error(vscode.l10n.t('Only a custom_id can be renamed.'));
  }
  return { range: new vscode.Range(line, value.start + 1, line, value.end - 1), placeholder: textOf(text, value) };
}

/** Renames the `custom_id` at a position. Rejects a name that is invalid or used by another request. */
async function renameId(
  documents: RequestDocuments,
  document: vscode.TextDocument,
  position: vscode.Position,
  newName: string,
  token: vscode.CancellationToken,
): Promise<vscode.WorkspaceEdit | undefined> {
  const { range, placeholder } = idAt(documents, document, position);
  if (!customIdPattern.test(newName)) {
    throw new Error(vscode.l10n.t('Use 1 to 64 letters, digits, hyphens or underscores.'));
  }
  const { version } = document;
  const file = documents.get(document);
  await file?.whenSwept();
  if (token.isCancellationRequested || document.version !== version) {
    return undefined;
  }
  const other = file?.checker?.lineOfId(newName);
  if (other !== undefined && other !== position.line) {
    throw new Error(vscode.l10n.t('Line {0} already has the ID {1}.', other + 1, newName));
  }
  const edit = new vscode.WorkspaceEdit();
  if (newName !== placeholder) {
    edit.replace(document.uri, range, newName);
  }
  return edit;
}

/** Rules that report deprecated fields. */
const deprecationRules: ReadonlySet<unknown> = new Set(['deprecated-field', 'sampling-rejected']);

/**
 * Explains the field at a position, its values and its default, and shows the name of a model. On a line with an answer, ids and texts are
 * left to the hover of the answer.
 */
function explainField(
  { documents, answers, rules }: EditingDependencies,
  schema: RequestSchema,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): vscode.Hover | undefined {
  const file = documents.get(document);
  if ((file === undefined && !isEditedRequest(document)) || token.isCancellationRequested) {
    return undefined;
  }
  const { text, start, cursor } = requestTextAt(document, position);
  const isAnswered = file !== undefined && answers.shownAt(file, position.line) !== undefined;
  const explanation = explain(schema, text, cursor);
  if (explanation === undefined || (isAnswered && !isSpecific(explanation))) {
    return undefined;
  }
  const models = explanation.field === 'model' ? toModels(rules.models() ?? []) : [];
  const facts = { models, isDeprecationReported: isDeprecationReported(document.uri, position) };
  // Not trusted and without HTML (the defaults), because the text can come from files.
  const content = new vscode.MarkdownString(toHoverText(explanation, facts, vscode.l10n.t, vscode.env.language));
  return new vscode.Hover(content, toRange(document, { start: start + explanation.start, end: start + explanation.end }));
}

/** Returns whether a problem at a position reports that the field is deprecated. VS Code shows the problem in the same hover. */
function isDeprecationReported(uri: vscode.Uri, position: vscode.Position): boolean {
  return vscode.languages
    .getDiagnostics(uri)
    .some(({ range, code }) => range.contains(position) && deprecationRules.has(typeof code === 'object' ? code.value : code));
}
