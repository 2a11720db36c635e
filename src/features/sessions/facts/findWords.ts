import type { TranscriptEvent } from '../../../shared/session/event';
import { idOf } from '../../../shared/session/eventFields';
import { textOfMessage } from '../../../shared/session/rows/parts';
import { toLabel } from '../../../shared/text';

/** Maximum number of characters of messages to keep per session. */
const maxSaid = 4_000;
const charactersBefore = 40;
const excerptLength = 140;
/** Maximum number of characters in the escape of one hidden character. */
const maxEscaped = 10;

/** Returns the latest messages of users and agents in some events, up to a limit, so that a search needs no request. */
export function saidIn(events: readonly TranscriptEvent[]): string {
  return events
    .map(said)
    .filter(text => text !== '')
    .join('\n')
    .slice(-maxSaid);
}

/** Returns the last message of a user or agent that contains the words, ignoring case. `events` are oldest first. */
export function lastSaid(
  events: readonly TranscriptEvent[],
  words: string,
): { readonly eventId: string | undefined; readonly excerpt: string } | undefined {
  for (const event of events.toReversed()) {
    const excerpt = excerptOf(said(event), words);
    if (excerpt !== undefined) {
      return { eventId: idOf(event), excerpt };
    }
  }
  return undefined;
}

/** Returns the words with the text around them as one safe line, or `undefined` if the text does not contain them. */
export function excerptOf(text: string, words: string): string | undefined {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  if (at < 0 || words === '') {
    return undefined;
  }
  const from = Math.max(0, at - charactersBefore);
  const piece = text.slice(from, from + excerptLength).replace(/\s+/g, ' ');
  return `${from > 0 ? '…' : ''}${toLabel(piece.trim(), excerptLength * maxEscaped)}${from + excerptLength < text.length ? '…' : ''}`;
}

function said({ type, content }: TranscriptEvent): string {
  return type === 'user.message' || type === 'agent.message' ? textOfMessage(content) : '';
}
