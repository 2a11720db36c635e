import { readFileSync } from 'node:fs';
import { findOffers, type Offer, type OfferContext, type Offers } from '../../../../src/jsonl/guide/offers';
import { RequestSchema, type SchemaNode } from '../../../../src/jsonl/guide/schemaNode';

/** The shipped schema. */
export const requestSchemaFile = JSON.parse(readFileSync('media/schemas/request.schema.json', 'utf8')) as SchemaNode;
export const requestSchema = new RequestSchema(requestSchemaFile);

/** Parses a line in which `|` marks the cursor. */
export function atCursor(marked: string): { readonly text: string; readonly column: number } {
  const column = marked.indexOf('|');
  return { text: marked.slice(0, column) + marked.slice(column + 1), column };
}

export function offersAt(marked: string, context?: OfferContext) {
  const { text, column } = atCursor(marked);
  return { text, ...findOffers(requestSchema, text, column, context) };
}

/** Returns the labels of the offers, best first. */
export function labelsAt(marked: string, context?: OfferContext): string[] {
  const { offers } = offersAt(marked, context);
  return [...offers].sort((a, b) => a.rank - b.rank).map(({ label }) => label);
}

/** Returns the line after an offer is accepted. Placeholders are replaced by their default values. */
export function choose(text: string, { start, end, commaAt = start }: Omit<Offers, 'offers' | 'isRemote'>, { insert }: Offer): string {
  const before = `${text.slice(0, commaAt)}${commaAt < start ? ',' : ''}${text.slice(commaAt, start)}`;
  return before + fillSnippet(insert) + text.slice(end);
}

export function chosen(marked: string, label: string, context?: OfferContext): string {
  const found = offersAt(marked, context);
  const offer = found.offers.find(candidate => candidate.label === label);
  if (offer === undefined) {
    throw new Error(`${label} is not offered, but ${found.offers.map(other => other.label).join(', ')}`);
  }
  return choose(found.text, found, offer);
}

/** Replaces each placeholder of a snippet with the default value or the first choice. */
export function fillSnippet(snippet: string): string {
  const escapes = (text: string) => text.replace(/\\([\\$}|,])/g, '$1');
  return escapes(
    snippet.replace(
      /(?<!\\)\$(?:\d+|\{\d+(?::((?:\\.|[^}\\])*)|\|((?:\\.|[^,|\\])*)[^|]*\|)?\})/g,
      (_all, words, choice) => words ?? choice ?? '',
    ),
  );
}
