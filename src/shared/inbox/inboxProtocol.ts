import type { Ask } from '../session/openAsksAt';
import type { FromWebview as FromSession, ToWebview as ToSession, Translations } from '../session/sessionProtocol';

/** Most asks with equal arguments that one click allows: all of them are named beside the button. */
export const mostEqual = 20;

/** Something that waits for the user, of whichever session. */
export interface InboxEntry {
  /** Its `eventId` is an id of the inbox: it names connection, session and event, and answers go to it. */
  readonly ask: Ask;
  /** Stands for all that is asked, and goes back with an answer: another one means that something else is asked now. */
  readonly fingerprint: string;
  /** Same for asks of one agent for one tool with equal arguments. Absent unless the arguments are known completely and exactly. */
  readonly equalKey?: string;
  /** Name of the session. */
  readonly title: string;
  readonly sessionId: string;
  /** '' where it is not told. */
  readonly agent: string;
  readonly connection: string;
  /** Why an answer was not sent that was given together with others, or that its session could not be read. */
  readonly problem?: string;
  /** The user said "Not Now". */
  readonly isPostponed?: boolean;
  /** True if the call can't be undone, as far as its tool and arguments tell. */
  readonly isIrreversible?: boolean;
  /** First words of the session: its task. Absent if the title says the same. */
  readonly task?: string;
  /** Last words of the agent before it asked. */
  readonly said?: string;
}

/** A rule that an ask offers: its whole scope in one line, and what it would have decided about past answers. */
export interface OfferedRule {
  readonly id: string;
  readonly scope: string;
  readonly trial: string;
}

/** A session that rests since its agent asked a question in words: it is not blocked. */
export interface QuestionEntry {
  /** An id of the inbox: it names connection, session and the message that asks. */
  readonly id: string;
  /** Name of the session. */
  readonly title: string;
  readonly sessionId: string;
  /** '' where it is not told. */
  readonly agent: string;
  readonly connection: string;
  /** When the session last changed, milliseconds since 1970. */
  readonly at?: number;
  /** The message that ends with the question; absent until it was read, which it is while it is on the card. */
  readonly text?: string;
  /** Only the end of the message is here. */
  readonly isCut?: boolean;
  /** Why its session could not be read. */
  readonly problem?: string;
}

/** What waits no longer though nobody answered it here, and why, in words. */
export interface LeftEntry {
  readonly id: string;
  readonly words: string;
}

export interface InboxView {
  /** Calls that can't be undone first, then oldest first; postponed ones last. */
  readonly entries: readonly InboxEntry[];
  /** Who asked a question and rests, the newest first. */
  readonly questions: readonly QuestionEntry[];
  /** Why sessions in which something waits could not be read, one for each. */
  readonly unread: readonly string[];
  /** How much the rules of this machine answered in the last 24 hours. */
  readonly byRules: number;
  /** How many of the newest sessions are known, where there are others. */
  readonly newest?: number;
  /** The latest last; bounded. */
  readonly left: readonly LeftEntry[];
  /** Who is watched, in words. */
  readonly watched: string;
  /** Whether everything that waits is known, as far as it can be, and has been read. */
  readonly isRead: boolean;
  readonly canWrite: boolean;
  /** Rule for calls that the user nearly always allowed; `trial` says how often. */
  readonly suggestion?: OfferedRule;
}

/** Host to inbox. After `ready` comes a `view` with the translations, and another `view` whenever it changes. */
export type ToInbox =
  | { readonly type: 'view'; readonly view: InboxView; readonly locale: string; readonly translations?: Translations }
  | Extract<ToSession, { readonly type: 'part' | 'sendResult' }>
  /** Rules that an ask offers, in answer to `makeRule`. */
  | { readonly type: 'rules'; readonly eventId: string; readonly rules: readonly OfferedRule[] }
  /** Shows this one, and gives the keyboard to its card. */
  | { readonly type: 'show'; readonly id: string | undefined };

type Confirm = Extract<FromSession, { readonly type: 'confirm' }>;

/** Inbox to host; `fromInboxSchema` parses it. It carries ids of what is in the inbox and the user's words. */
export type FromInbox =
  | { readonly type: 'ready' }
  /** `shown` is the fingerprint of what was on the card. */
  | (Confirm & { readonly shown: string })
  | Extract<
      FromSession,
      {
        readonly type:
          | 'customResult'
          | 'customResultFromFile'
          | 'loadPart'
          | 'openPart'
          | 'openAskedChange'
          | 'makeRule'
          | 'openLink'
          | 'copyText';
      }
    >
  /** The user wants no such suggestion. */
  | { readonly type: 'dismissRule' }
  /** Keeps one of the offered rules. */
  | { readonly type: 'keepRule'; readonly id: string }
  /** Shows the rules and what they answered. */
  | { readonly type: 'showRules' }
  /** Allows asks with equal arguments: the one on the card and those named beside the button. */
  | {
      readonly type: 'allowEqual';
      readonly clientId: string;
      readonly asks: readonly { readonly id: string; readonly shown: string }[];
    }
  /** Words for the session that asked a question. */
  | { readonly type: 'reply'; readonly clientId: string; readonly id: string; readonly text: string }
  /** To the end, without an answer; a question goes. */
  | { readonly type: 'notNow'; readonly id: string }
  /** This one is on the card; undefined when none is. */
  | { readonly type: 'shown'; readonly id?: string }
  | { readonly type: 'openSession'; readonly id: string };

/** What the inbox keeps over a reload. */
export interface InboxState {
  /** The one on the card. */
  readonly shown?: string;
  readonly memory?: Readonly<Record<string, string>>;
}
