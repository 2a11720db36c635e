import type { Files } from '../files/files';
import { invalidRequest } from '../http/apiError';
import type { ServerStyle } from '../http/serverStyle';
import type { SentEvent } from './sentEvents';
import type { OpenCall, SessionRecord } from './sessionRecord';

/** Answer of a client to a pending call. */
export interface Answer {
  readonly isAllowed: boolean;
  readonly denyMessage?: string;
  readonly content?: readonly object[];
  readonly isError?: boolean;
}

/** Answer in a sent event. `id` is that of the call's event. */
interface SentAnswer {
  readonly id: string;
  /** Name of the field of the sent event that contains `id`. */
  readonly field: string;
  readonly waitsFor: OpenCall['waitsFor'];
  readonly answer: Answer;
}

function answerIn(event: SentEvent): SentAnswer | undefined {
  switch (event.type) {
    case 'user.tool_confirmation': {
      const answer = { isAllowed: event.result === 'allow', denyMessage: event.deny_message ?? undefined };
      return { id: event.tool_use_id, field: 'tool_use_id', waitsFor: 'permission', answer };
    }
    case 'user.custom_tool_result':
      return { id: event.custom_tool_use_id, field: 'custom_tool_use_id', waitsFor: 'customResult', answer: resultIn(event) };
    case 'user.tool_result':
      return { id: event.tool_use_id, field: 'tool_use_id', waitsFor: 'toolResult', answer: resultIn(event) };
    default:
      return undefined;
  }
}

function resultIn({ content = [], is_error: isError }: Extract<SentEvent, { readonly type: `${string}_result` }>): Answer {
  return { isAllowed: true, content, isError: isError ?? false };
}

/** Returns whether an event answers a call. Apart from answers, only an interrupt takes effect immediately. */
export function isAnswer(event: SentEvent): boolean {
  return answerIn(event) !== undefined;
}

export interface CallAnswer {
  readonly call: OpenCall;
  readonly answer: Answer;
}

interface Acceptance {
  readonly record: SessionRecord;
  readonly style: ServerStyle;
  readonly files: Files;
  readonly budgetIsSpent: boolean;
}

/** Returns the answers among the sent events, each with its call. Throws a 400 for anything that the session does not accept now. */
export function acceptSent(
  sent: readonly SentEvent[],
  { record, style, files, budgetIsSpent }: Acceptance,
): ReadonlyMap<SentEvent, CallAnswer> {
  const found = new Map<SentEvent, CallAnswer>();
  const taken = new Set<string>();
  let hasOutcome = record.outcomes.some(outcome => outcome.completedAt === null);
  sent.forEach((event, at) => {
    const asked = answerIn(event);
    const call = record.openCalls.find(open => open.eventId === asked?.id && open.waitsFor === asked.waitsFor);
    if (asked !== undefined && call !== undefined && !taken.has(asked.id)) {
      found.set(event, { call, answer: asked.answer });
      taken.add(asked.id);
    } else if (asked !== undefined && style.checksAnswers) {
      throw invalidRequest(`events.${at}.${asked.field}: no call with the id ${asked.id} waits for this`);
    }
    if (asked === undefined && event.type !== 'user.interrupt' && budgetIsSpent) {
      throw invalidRequest(`events.${at}: the budget of the session is spent; only tool answers and interrupts are accepted`);
    }
    if (event.type === 'user.define_outcome') {
      if (hasOutcome) {
        throw invalidRequest(`events.${at}: the session has an active outcome`);
      }
      if (event.rubric.type === 'file' && files.find(event.rubric.file_id) === undefined) {
        throw invalidRequest(`events.${at}.rubric.file_id: file not found`);
      }
      hasOutcome = true;
    }
  });
  return found;
}
