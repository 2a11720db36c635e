import * as vscode from 'vscode';
import { completeQuery, type KnownValues } from '../../../jsonl/querying/completeQuery';
import type { QueryCompletion, TableSubject } from '../../../shared/results/resultsProtocol';

const mostOffers = 30;

/** Returns completions at a position of a query, in the user's language. `known` are values that occur in the results. */
export function toCompletions(
  query: string,
  at: number,
  known: KnownValues,
  subject: TableSubject = 'results',
): readonly QueryCompletion[] {
  const { start, end, offers } = completeQuery(query, Math.min(at, query.length), known, subject);
  return offers
    .filter(({ text }) => text !== query.slice(start, end))
    .slice(0, mostOffers)
    .map(({ kind, text, about }) => ({
      label: text,
      detail: about === undefined ? '' : vscode.l10n.t(about.template, ...about.args),
      text: kind === 'word' ? `${text} ` : text,
      ...{ start, end },
    }));
}
