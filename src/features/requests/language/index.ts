import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { findSelections } from '../../../jsonl/guide/selections';
import type { RequestDocuments } from '../documents/requestDocuments';
import { requestFileSelector } from '../documents/requestFile';
import type { EditingDependencies } from '../editingDependencies';
import { completionTriggers, readRequestSchema, RequestCompletionProvider } from './requestCompletionProvider';
import { registerSymbols } from './registerSymbols';
import { RequestHoverProvider } from './requestHoverProvider';
import { RequestIdRenameProvider } from './requestIdRenameProvider';

/** Registers completion, hovers, symbols, structural selection and renaming of ids in request files. */
export function registerLanguage(deps: EditingDependencies): vscode.Disposable {
  const { documents, rules, log, context } = deps;
  const schema = readRequestSchema(context.extensionUri);
  schema.catch(error => log.error('The schema of requests could not be read', error));
  const { languages } = vscode;
  return combine(
    languages.registerCompletionItemProvider(
      requestFileSelector,
      new RequestCompletionProvider(documents, rules, schema),
      ...completionTriggers,
    ),
    languages.registerHoverProvider(requestFileSelector, new RequestHoverProvider(deps, schema)),
    registerSymbols(documents),
    languages.registerSelectionRangeProvider(requestFileSelector, new RequestSelectionProvider(documents)),
    languages.registerRenameProvider(requestFileSelector, new RequestIdRenameProvider(documents)),
  );
}

/** Expands a selection by the JSON structure of its line. */
class RequestSelectionProvider implements vscode.SelectionRangeProvider {
  constructor(private readonly documents: RequestDocuments) {}

  provideSelectionRanges(document: vscode.TextDocument, positions: readonly vscode.Position[]): vscode.SelectionRange[] | undefined {
    if (this.documents.get(document) === undefined) {
      return undefined;
    }
    return positions.map(({ line, character }) => {
      const spans = findSelections(document.lineAt(line).text, character);
      const toRange = (start: number, end: number) => new vscode.Range(line, start, line, end);
      return spans
        .toReversed()
        .reduce<vscode.SelectionRange | undefined>(
          (parent, [start, end]) => new vscode.SelectionRange(toRange(start, end), parent),
          undefined,
        ) as vscode.SelectionRange;
    });
  }
}
