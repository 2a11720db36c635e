import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { findSelections } from '../../../jsonl/guide/selections';
import { requestFileSelector } from '../documents/requestFile';
import { requestScheme } from '../documents/requestUri';
import type { EditingDependencies } from '../fileWork';
import { readRequestSchema, RequestCompletionProvider } from './requestCompletionProvider';
import { registerSymbols } from './registerSymbols';
import { RequestHoverProvider } from './requestHoverProvider';
import { RequestIdRenameProvider } from './requestIdRenameProvider';

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
  const completions = new RequestCompletionProvider(documents, rules, schema);
  return combine(
    languages.registerCompletionItemProvider(selector, completions, '"', ':', ',', '{', '['),
    languages.registerHoverProvider(selector, new RequestHoverProvider(deps, schema)),
    registerSymbols(documents),
    languages.registerSelectionRangeProvider(requestFileSelector, {
      provideSelectionRanges: (document, positions) =>
        documents.get(document) && positions.map(position => toSelectionRange(document, position)),
    }),
    languages.registerRenameProvider(requestFileSelector, new RequestIdRenameProvider(documents)),
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
