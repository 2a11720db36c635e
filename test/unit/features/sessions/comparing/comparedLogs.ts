import type { Pieces } from '../../../../../src/features/sessions/comparing/alignSequences';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';

/** Runs all pieces of a work and returns its result. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) {
      return value;
    }
  }
}

/** Part of a log in a test: events, a call with its arguments and its result, or an agent's message. */
type Piece = readonly TranscriptEvent[] | readonly [name: string, input: object, result: string] | string;

/** Returns a message of the user. */
export function said(text: string): readonly TranscriptEvent[] {
  return [{ type: 'user.message', content: [{ type: 'text', text }] }];
}

/** Returns a log of these pieces. Each event has an id. */
export function toLog(...pieces: readonly Piece[]): readonly TranscriptEvent[] {
  return pieces.flatMap((piece, place): readonly TranscriptEvent[] => {
    if (typeof piece === 'string') {
      return [{ type: 'agent.message', id: `event-${place}`, content: [{ type: 'text', text: piece }] }];
    }
    const [name, input, text] = piece;
    if (typeof name !== 'string') {
      return (piece as readonly TranscriptEvent[]).map((event, at) => ({ ...event, id: `event-${place}-${at}` }));
    }
    return [
      { type: 'agent.tool_use', id: `call-${place}`, name, input },
      { type: 'agent.tool_result', id: `result-${place}`, tool_use_id: `call-${place}`, content: [{ type: 'text', text }] },
    ];
  });
}
