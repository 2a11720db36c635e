import type * as vscode from 'vscode';
import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { ModelCounts } from '../../../jsonl/fixes/modelCounts';

/** Lines that are asked: enough to know what a file is about, and quickly done. */
const mostLines = 20_000;

/** The model that most requests in the first lines of a document ask, as far as its checker has read them. */
export function commonModelOf(document: Pick<vscode.TextDocument, 'lineCount'>, checker: DocumentChecker | undefined): string | undefined {
  const models = new ModelCounts();
  for (let line = 0; checker !== undefined && line < Math.min(document.lineCount, mostLines); line++) {
    models.add(checker.lineInfo(line)?.model);
  }
  return models.mostUsed;
}
