import type { Event } from 'vscode';
import { Emitter } from '../../../common/emitter';
import type { SessionReference } from '../../../contributions';
import type { ListedSession } from './listedSession';
import type { OpenAsk } from './openAsks';
import type { AllSessions } from './sessionFacts';

/** A session with open asks. */
export interface WaitingSession extends SessionReference {
  /** Title or first words, if known. */
  readonly name: string | undefined;
  readonly agent: string | undefined;
  /** Never empty. */
  readonly asks: readonly OpenAsk[];
}

/** A session that rests since its agent asked a question. It is not blocked. */
export interface AskedQuestion extends SessionReference {
  readonly name: string | undefined;
  readonly agent: string | undefined;
  /** Id of the message that ends with the question. */
  readonly eventId: string;
  /** Time of the session's last change, in milliseconds since 1970. */
  readonly at: number | undefined;
}

/** Sessions that need the user. */
export interface WaitingSessions {
  /** Fires when the sessions, their asks, or the number of known sessions change. */
  readonly onDidChange: Event<void>;
  all(): readonly WaitingSession[];
  /** Newest first. */
  questions(): readonly AskedQuestion[];
}

/** Source of the sessions that need the user. */
export interface NeedsSource {
  waiting(): AllSessions['waiting'];
  asked(): AllSessions['asked'];
  readonly coverage: { readonly known: number; readonly isPart: boolean; readonly reach: string };
}

/** Sessions of the store that need the user. The view calls `check` after changes and limits how often that happens. */
export class Needs implements WaitingSessions {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private last: string;

  constructor(private readonly store: NeedsSource) {
    this.last = this.toText();
  }

  all(): readonly WaitingSession[] {
    return this.store
      .waiting()
      .filter(({ asks }) => asks.length > 0)
      .map(listed => ({ ...namesOf(listed), asks: listed.asks }));
  }

  questions(): readonly AskedQuestion[] {
    return this.store
      .asked()
      .flatMap(listed => {
        const { session, question } = listed;
        const at = Date.parse(session.updated_at ?? session.created_at ?? '');
        return question === undefined ? [] : [{ ...namesOf(listed), eventId: question.eventId, at: Number.isNaN(at) ? undefined : at }];
      })
      .sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
  }

  /** Fires `onDidChange` if something changed since the last check. */
  check(): void {
    const now = this.toText();
    if (now !== this.last) {
      this.last = now;
      this.changed.fire();
    }
  }

  private toText(): string {
    const { coverage } = this.store;
    const waiting = this.all().map(({ asks, ...names }) => [names, asks.map(({ eventId }) => eventId)]);
    return JSON.stringify([waiting, this.questions(), coverage.isPart ? coverage : null]);
  }
}

function namesOf({ connection, session, name }: ListedSession): Omit<WaitingSession, 'asks'> {
  return { connection, sessionId: session.id, name, agent: session.agent?.name || undefined };
}
