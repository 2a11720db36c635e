import type { ProgressProblem } from '../session/facts/progress';
import type { Ask } from '../session/openAsks';
import type { ToWebview as ToSession } from '../session/sessionProtocol';
import type { FromInbox } from './fromInboxSchema';

export type { FromInbox };

/** Maximum number of asks with equal arguments that one click allows. All these asks are named next to the button. */
export const maxEqual = 20;

export interface InboxEntry {
  /** The ask. Its `eventId` is an id of the inbox, made of connection, session and event. An answer contains this id. */
  readonly ask: Ask;
  /** Fingerprint of the whole ask, sent back with an answer. It changes if the ask changes. */
  readonly fingerprint: string;
  /** Equal for asks of one agent for one tool with equal arguments. Missing if the arguments are not known completely and exactly. */
  readonly equalKey?: string;
  readonly title: string;
  readonly sessionId: string;
  /** Name of the agent; '' if not reported. */
  readonly agent: string;
  readonly connection: string;
  /** Reason why an answer given to several asks was not sent for this ask, or why the ask's session could not be read. */
  readonly problem?: string;
  readonly isPostponed?: boolean;
  readonly isIrreversible?: boolean;
  /** Start of the session's first message. Absent if the title has the same text. */
  readonly task?: string;
  readonly said?: string;
}

/** Rule offered with an ask: the rule's whole scope in one line, and its result for past answers. */
export interface OfferedRule {
  readonly id: string;
  readonly scope: string;
  readonly trial: string;
}

/** A session that needs attention without an ask. The session is idle after a question in a message, or runs and seems stuck. */
export interface QuestionEntry extends Pick<InboxEntry, 'title' | 'sessionId' | 'agent' | 'connection' | 'problem'> {
  /** An id of the inbox, made of connection, session and message. */
  readonly id: string;
  /** Time of the session's last change, in milliseconds since 1970. */
  readonly at?: number;
  /** Reason why the session seems stuck. Missing for a question. */
  readonly stuck?: ProgressProblem;
  /** The message that ends with the question. Missing until the card is first shown. */
  readonly text?: string;
  /** True if `text` is only the end of the message. */
  readonly isCut?: boolean;
}

/** Ask that disappeared without an answer from this inbox, with the reason. */
export interface LeftEntry {
  readonly id: string;
  readonly words: string;
}

export interface InboxView {
  /** Open asks. Calls that can't be undone come first, then the oldest asks. Postponed asks come last. */
  readonly entries: readonly InboxEntry[];
  /** Idle sessions that asked a question, newest first, then sessions that seem stuck. */
  readonly questions: readonly QuestionEntry[];
  /** Reasons why sessions with open asks could not be read, one line per session. */
  readonly unread: readonly string[];
  /** Number of answers by local rules in the last 24 hours. */
  readonly byRules: number;
  /** Number of newest sessions that were searched for asks. Missing if all were searched. */
  readonly newest?: number;
  /** Asks that disappeared, oldest first. The number is limited. */
  readonly left: readonly LeftEntry[];
  readonly watched: string;
  /** True once every open ask was found and read. */
  readonly isRead: boolean;
  readonly canWrite: boolean;
  /** Rule for calls that the user nearly always allowed. `trial` says how often. */
  readonly suggestion?: OfferedRule;
}

/** Host to inbox. After `ready`, the host sends a `view`, and another `view` after each change. */
export type ToInbox =
  | { readonly type: 'view'; readonly view: InboxView }
  | Extract<ToSession, { readonly type: 'part' | 'sendResult' }>
  | { readonly type: 'rules'; readonly eventId: string; readonly rules: readonly OfferedRule[] }
  | { readonly type: 'show'; readonly id: string | undefined };

export interface InboxState {
  readonly shown?: string;
  readonly memory?: Readonly<Record<string, string>>;
}
