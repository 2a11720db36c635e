import type { Event } from 'vscode';
import { Emitter } from '../../../common/emitter';
import type { SessionReference } from '../../../contributions';
import type { ProgressProblem } from '../../../shared/session/facts/progress';
import type { ListedSession } from './listedSession';
import type { OpenAsk } from './openAsks';

/** A session with open asks. */
export interface WaitingSession extends SessionReference {
  /** Title or first words, if known. */
  readonly name: string | undefined;
  readonly agent: string | undefined;
  /** Never empty. */
  readonly asks: readonly OpenAsk[];
}

/** A session whose agent asked a question and is idle, or that runs and seems stuck. It is not blocked. */
export interface AskedQuestion extends SessionReference {
  readonly name: string | undefined;
  readonly agent: string | undefined;
  /** Id of the message that ends with the question, or `episode` of the problem. */
  readonly eventId: string;
  /** Time of the session's last change, in milliseconds since 1970. */
  readonly at: number | undefined;
  /** Why it seems stuck. */
  readonly problem?: ProgressProblem;
}

/** Sessions that need the user. */
export interface WaitingSessions {
  /** Fires when the sessions, their asks, or the number of known sessions change. */
  readonly onDidChange: Event<void>;
  all(): readonly WaitingSession[];
  /** Questions, newest first, then sessions that seem stuck. */
  questions(): readonly AskedQuestion[];
}

/** Source of the sessions that need the user. */
export interface NeedsSource {
  waiting(): readonly ListedSession[];
  asked(): readonly ListedSession[];
  stuck(): readonly ListedSession[];
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
    const newestFirst = (a: AskedQuestion, b: AskedQuestion) => (b.at ?? 0) - (a.at ?? 0);
    const asked = this.store
      .asked()
      .flatMap(listed => (listed.question === undefined ? [] : [{ ...timesOf(listed), eventId: listed.question.eventId }]));
    const stuck = this.store
      .stuck()
      .flatMap(listed =>
        listed.problem === undefined ? [] : [{ ...timesOf(listed), eventId: listed.problem.episode, problem: listed.problem }],
      );
    return [...asked.sort(newestFirst), ...stuck.sort(newestFirst)];
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

function timesOf(listed: ListedSession) {
  const at = Date.parse(listed.session.updated_at ?? listed.session.created_at ?? '');
  return { ...namesOf(listed), at: Number.isNaN(at) ? undefined : at };
}

function namesOf({ connection, session, name }: ListedSession): Omit<WaitingSession, 'asks'> {
  return { connection, sessionId: session.id, name, agent: session.agent?.name || undefined };
}
