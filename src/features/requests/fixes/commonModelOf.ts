import type * as vscode from 'vscode';
import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { ModelCounts } from '../../../jsonl/fixes/modelCounts';

/** Maximum number of lines to read. */
const mostLines = 20_000;

/** Returns the most common model in the first lines of a document, as far as its checker has read them. */
export function commonModelOf(document: Pick<vscode.TextDocument, 'lineCount'>, checker: DocumentChecker | undefined): string | undefined {
  const models = new ModelCounts();
  for (let line = 0; checker !== undefined && line < Math.min(document.lineCount, mostLines); line++) {
    models.add(checker.lineInfo(line)?.model);
  }
  return models.mostUsed;
}
