import * as vscode from 'vscode';
import { findSelections } from '../../../jsonl/guide/selections';
import type { RequestDocuments } from '../documents/requestDocuments';

/** Expands a selection by the JSON structure of its line. */
export class RequestSelectionProvider implements vscode.SelectionRangeProvider {
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
