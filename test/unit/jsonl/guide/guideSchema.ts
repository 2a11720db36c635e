import { readFileSync } from 'node:fs';
import { findOffers, type Offer, type OfferContext, type Offers } from '../../../../src/jsonl/guide/offers';
import { RequestSchema, type SchemaNode } from '../../../../src/jsonl/guide/schemaNode';
import { fillSnippet } from '../../../../src/jsonl/guide/snippetText';

/** The schema as it ships. */
export const requestSchemaFile = JSON.parse(readFileSync('media/schemas/request.schema.json', 'utf8')) as SchemaNode;
export const requestSchema = new RequestSchema(requestSchemaFile);

/** A line with `|` where the cursor is. */
export function atCursor(marked: string): { readonly text: string; readonly column: number } {
  const column = marked.indexOf('|');
  return { text: marked.slice(0, column) + marked.slice(column + 1), column };
}

export function offersAt(marked: string, context?: OfferContext) {
  const { text, column } = atCursor(marked);
  return { text, ...findOffers(requestSchema, text, column, context) };
}

/** Labels, best first. */
export function labelsAt(marked: string, context?: OfferContext): string[] {
  const { offers } = offersAt(marked, context);
  return [...offers].sort((a, b) => a.rank - b.rank).map(({ label }) => label);
}

/** The line with an offer chosen, its places filled with what they propose. */
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
