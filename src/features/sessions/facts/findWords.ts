import type { TranscriptEvent } from '../../../shared/session/event';
import { idOf, listOf, objectOf, textOf } from '../../../shared/session/eventFields';
import { toLabel } from '../../../shared/text';

/** A place where words were said. */
export interface WordsMatch {
  readonly eventId: string | undefined;
  /** The words with a little of what stands around them, in one safe line. */
  readonly excerpt: string;
}

/** Characters of what was said that are kept of one session. */
const mostSaid = 4_000;
const before = 40;
const longest = 140;
/** Characters that one hidden character is shown as, at most. */
const mostEscaped = 10;

/** Returns the latest messages of users and agents in some events, up to a limit. A search uses it without calling the service. */
export function saidIn(events: readonly TranscriptEvent[]): string {
  return events
    .map(textOfMessage)
    .filter(text => text !== '')
    .join('\n')
    .slice(-mostSaid);
}

/** The last event in which users or agents said words, whatever their case; `events` are oldest first. */
export function lastSaid(events: readonly TranscriptEvent[], words: string): WordsMatch | undefined {
  for (let place = events.length - 1; place >= 0; place--) {
    const event = events[place];
    const excerpt = event === undefined ? undefined : excerptOf(textOfMessage(event), words);
    if (event !== undefined && excerpt !== undefined) {
      return { eventId: idOf(event), excerpt };
    }
  }
  return undefined;
}

/** The words in a text with what stands around them; undefined where they are not in it. */
export function excerptOf(text: string, words: string): string | undefined {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  if (at < 0 || words === '') {
    return undefined;
  }
  const from = Math.max(0, at - before);
  const piece = text.slice(from, from + longest).replace(/\s+/g, ' ');
  return `${from > 0 ? '…' : ''}${toLabel(piece.trim(), longest * mostEscaped)}${from + longest < text.length ? '…' : ''}`;
}

function textOfMessage({ type, content }: TranscriptEvent): string {
  if (type !== 'user.message' && type !== 'agent.message') {
    return '';
  }
  return typeof content === 'string'
    ? content
    : listOf(content)
        .flatMap(part => textOf(objectOf(part)?.text) ?? [])
        .join('\n');
}
