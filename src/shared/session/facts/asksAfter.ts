import type { TranscriptEvent } from '../event';
import { idOf, listOf, objectOf, textOf } from '../eventFields';

const tail = 200;

/** A question mark of any script, optionally followed by quotes, brackets or emphasis. */
const question = /[?\uff1f\u061f\u037e][\s"'\u201d\u2019\u00bb)\]*_`]{0,20}$/;

/**
 * Returns the id of the agent's last message to the user if it is a question, after one more event. `asked` is the previous result. The
 * service doesn't report questions, so they are detected by the end of the text. Expects events of the session's own thread, because
 * messages in other threads are not addressed to the user.
 */
export function asksAfter(asked: string | undefined, event: TranscriptEvent): string | undefined {
  switch (event.type) {
    case 'user.message':
      return undefined;
    case 'agent.message':
      return question.test(endOf(event.content)) ? (idOf(event) ?? '') : undefined;
    default:
      return asked;
  }
}

function endOf(content: unknown): string {
  const last = listOf(content).findLast(part => textOf(objectOf(part)?.text) !== undefined);
  return (textOf(content) ?? textOf(objectOf(last)?.text) ?? '').trimEnd().slice(-tail);
}
