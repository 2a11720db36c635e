import { jsonOf } from '../../jsonOf';
import { eventInTranscript } from './transcriptText';

/** A quote in an answer about a session. */
export interface Citation {
  readonly quote: string;
  readonly eventId: string;
  readonly isFound: boolean;
}

const maxCitations = 50;
const maxDepth = 8;

/** Returns the objects with `quote` and `event_id` in the JSON of an answer, checked against the transcript that was sent. */
export function citationsOf(answer: string, transcript: string): readonly Citation[] {
  const found: Citation[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (found.length >= maxCitations || depth > maxDepth || typeof value !== 'object' || value === null) {
      return;
    }
    const { quote, event_id: eventId } = value as { readonly quote?: unknown; readonly event_id?: unknown };
    if (typeof quote === 'string' && typeof eventId === 'string') {
      found.push({ quote, eventId, isFound: isQuoted(quote, eventInTranscript(transcript, eventId)) });
    } else {
      for (const inner of Object.values(value)) {
        visit(inner, depth + 1);
      }
    }
  };
  visit(jsonOf(answer), 0);
  return found;
}

/** Compares without white space, because models rewrap quotes and transcripts are indented. */
function isQuoted(quote: string, event: string | undefined): boolean {
  const compactQuote = quote.replaceAll(/\s+/g, '');
  return event !== undefined && compactQuote !== '' && event.replaceAll(/\s+/g, '').includes(compactQuote);
}
