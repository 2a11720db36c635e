import type { Disposable, Event } from 'vscode';
import { Emitter } from '../../../common/emitter';
import type { SessionReference } from '../../../contributions';
import type { OpenAsk } from '../facts/openAsks';
import type { SessionStore } from '../list/sessionStore';

/** A session in which something waits for the user, as far as is known without asking it. */
export interface WaitingSession extends SessionReference {
  /** Title or first words; undefined where neither is known. */
  readonly name: string | undefined;
  readonly agent: string | undefined;
  /** Never empty. */
  readonly asks: readonly OpenAsk[];
}

/** A session that rests since its agent asked a question in words. It is not blocked, and waits in no list or badge. */
export interface AskedQuestion extends SessionReference {
  /** Title or first words; undefined where neither is known. */
  readonly name: string | undefined;
  readonly agent: string | undefined;
  /** Id of the message that ends with the question. */
  readonly eventId: string;
  /** When the session last changed, milliseconds since 1970. */
  readonly at: number | undefined;
}

/** Who waits for the user. Where that is known from is nobody's business. */
export interface WaitingSessions {
  /** Fires when another session waits or asked, or for something else, or more is known of who does. */
  readonly onDidChange: Event<void>;
  all(): readonly WaitingSession[];
  /** Who asked a question and rests, the newest first. */
  questions(): readonly AskedQuestion[];
}

/** Who waits by all that is known of sessions. */
export class KnownWaiting implements WaitingSessions, Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscription: Disposable;
  private told: string;

  constructor(private readonly store: Pick<SessionStore, 'waiting' | 'asked' | 'coverage' | 'onDidChange'>) {
    this.told = this.tell();
    this.subscription = store.onDidChange(() => this.check());
  }

  all(): readonly WaitingSession[] {
    return this.store
      .waiting()
      .filter(({ asks }) => asks.length > 0)
      .map(({ connection, session, name, asks }) => ({
        ...{ connection, sessionId: session.id, name, asks },
        agent: session.agent?.name || undefined,
      }));
  }

  questions(): readonly AskedQuestion[] {
    return this.store
      .asked()
      .flatMap(({ connection, session, name, rest }) => {
        if (rest?.kind !== 'asked') {
          return [];
        }
        const at = Date.parse(session.updated_at ?? session.created_at ?? '');
        const agent = session.agent?.name || undefined;
        return { connection, sessionId: session.id, name, agent, eventId: rest.eventId, at: Number.isNaN(at) ? undefined : at };
      })
      .sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private check(): void {
    const now = this.tell();
    if (now !== this.told) {
      this.told = now;
      this.changed.fire();
    }
  }

  private tell(): string {
    const { coverage } = this.store;
    const asked = this.all().map(({ connection, sessionId, name, agent, asks }) => {
      return [connection, sessionId, name, agent, asks.map(ask => ask.eventId)];
    });
    return JSON.stringify([asked, this.questions(), coverage.isPart ? coverage : null]);
  }
}
