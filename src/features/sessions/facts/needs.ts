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
  /** Open asks, at least one. */
  readonly asks: readonly OpenAsk[];
}

/** A session that asked a question and is idle, or that runs and seems stuck. No ask blocks it. */
export interface AskedQuestion extends SessionReference {
  readonly name: string | undefined;
  readonly agent: string | undefined;
  /** ID of the message that ends with the question, or `episode` of the problem. */
  readonly eventId: string;
  /** Time of the session's last change, in milliseconds since 1970. */
  readonly at: number | undefined;
  readonly problem?: ProgressProblem;
}

/** Sessions of the store that need the user. The view calls `check` after changes, at a limited rate. */
export class Needs {
  private readonly changed = new Emitter<void>();
  /** Fires when the sessions, their asks or questions, or the number of known sessions change. */
  readonly onDidChange: Event<void> = this.changed.event;
  private last: string;

  constructor(private readonly store: { all(): readonly ListedSession[]; readonly coverage: { readonly isPart: boolean } }) {
    this.last = this.toText();
  }

  all(): readonly WaitingSession[] {
    return this.store
      .all()
      .filter(({ state, asks }) => state === 'waiting' && asks.length > 0)
      .map(listed => ({ ...namesOf(listed), asks: listed.asks }));
  }

  /** Returns the questions, newest first, then the sessions that seem stuck. */
  questions(): readonly AskedQuestion[] {
    const newestFirst = (a: AskedQuestion, b: AskedQuestion) => (b.at ?? 0) - (a.at ?? 0);
    const all = this.store.all();
    const asked = all.flatMap(listed => (listed.question === undefined ? [] : [toQuestion(listed, listed.question.eventId)]));
    const stuck = all.flatMap(listed =>
      listed.problem === undefined ? [] : [{ ...toQuestion(listed, listed.problem.episode), problem: listed.problem }],
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

function toQuestion(listed: ListedSession, eventId: string): AskedQuestion {
  const at = Date.parse(listed.session.updated_at ?? listed.session.created_at ?? '');
  return { ...namesOf(listed), eventId, at: Number.isNaN(at) ? undefined : at };
}

function namesOf({ connection, session, name }: ListedSession): Omit<WaitingSession, 'asks'> {
  return { connection, sessionId: session.id, name, agent: session.agent?.name || undefined };
}
