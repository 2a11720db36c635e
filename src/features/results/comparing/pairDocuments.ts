import * as vscode from 'vscode';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { toLabel } from '../../../shared/text';
import type { ComparedPairs } from './comparedPairs';
import { type ComparedPair, changeWords, nameOfPair, toDiffTexts } from './comparePresentation';

/** Maximum number of pairs to open in one editor. */
export const mostTogether = 50;

interface PairSource {
  readonly pairs: ComparedPairs;
  readonly documents: ReadonlyDocuments;
}

/** Shows both answers to a request in the diff editor. */
export async function showDifference(source: PairSource, pair: ComparedPair): Promise<void> {
  const { left, right } = await toDocuments(source, pair);
  const title = `${toLabel(nameOfPair(pair), 60)}: ${changeWords(pair, vscode.l10n.t)}`;
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true } satisfies vscode.TextDocumentShowOptions);
}

/** Shows the first differing pairs in one editor, worse ones first. */
export async function showTogether(source: PairSource, title: string): Promise<void> {
  const resources: [vscode.Uri, vscode.Uri, vscode.Uri][] = [];
  for (const pair of source.pairs.slice('all', 0, Math.min(mostTogether, source.pairs.differing))) {
    const { left, right } = await toDocuments(source, pair);
    resources.push([right, left, right]);
  }
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

async function toDocuments(
  { pairs, documents }: PairSource,
  pair: ComparedPair,
): Promise<{ readonly left: vscode.Uri; readonly right: vscode.Uri }> {
  const [before, after] = await pairs.lines(pair);
  const texts = toDiffTexts(before, after);
  const name = toLabel(nameOfPair(pair), 60);
  return {
    left: documents.create(`${name}.${texts.ending}`, texts.before),
    right: documents.create(`${name}.${texts.ending}`, texts.after),
  };
}
