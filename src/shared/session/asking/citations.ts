import { isRecord } from '../../isRecord';
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
  const visitAll = (values: readonly unknown[], depth: number): void => {
    for (const value of values) {
      visit(value, depth);
    }
  };
  const visit = (value: unknown, depth: number): void => {
    if (found.length >= maxCitations || depth > maxDepth) {
      return;
    }
    if (Array.isArray(value)) {
      visitAll(value, depth + 1);
    } else if (isRecord(value)) {
      const { quote, event_id: eventId } = value;
      if (typeof quote === 'string' && typeof eventId === 'string') {
        found.push({ quote, eventId, isFound: isQuoted(quote, eventInTranscript(transcript, eventId)) });
      } else {
        visitAll(Object.values(value), depth + 1);
      }
    }
  };
  try {
    visit(JSON.parse(answer), 0);
  } catch {
    return [];
  }
  return found;
}

/** Compares without white space, because models rewrap quotes and transcripts are indented. */
function isQuoted(quote: string, event: string | undefined): boolean {
  const squeezed = quote.replaceAll(/\s+/g, '');
  return event !== undefined && squeezed !== '' && event.replaceAll(/\s+/g, '').includes(squeezed);
}
