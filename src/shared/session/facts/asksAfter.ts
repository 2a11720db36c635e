import type { TranscriptEvent } from '../event';
import { idOf, listOf, objectOf, textOf } from '../eventFields';

/** Characters at the end of what was said that are looked at. */
const tail = 200;

/** A question mark of any script, and what may stand behind it: quotes, brackets, emphasis. */
const question = /[?\uff1f\u061f\u037e][\s"'\u201d\u2019\u00bb)\]*_`]{0,20}$/;

/**
 * Id of the last thing that the agent said to the user where that is a question, after one more event; `asked` is what it was before
 * that. The service has no word for it (a turn that ends with a question ends as every other), so it is told by how the words end.
 * Expects events of the session's own thread: messages in other threads are not addressed to the user.
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
