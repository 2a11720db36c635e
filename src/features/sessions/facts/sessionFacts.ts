import type { Event } from 'vscode';
import type { Session } from '../../../client/resources/sessions';
import type { Clock } from '../../../common/clock';
import { Emitter } from '../../../common/emitter';
import { isSame, reuseIfSame } from '../../../common/lists/memoizedList';
import type { SessionReference } from '../../../contributions';
import { defined } from '../../../shared/defined';
import { limitsOf, progressProblem, type TurnExtremes, withCost } from '../../../shared/session/facts/progress';
import { isRunning, restIn, stateOf } from '../../../shared/session/facts/sessionState';
import { toMoney } from '../../../shared/session/facts/tokens';
import type { SessionView } from '../../../shared/session/sessionView';
import { askLogOf, type LogFacts, questionIn, withAnswer } from './askLog';
import { asksOfView, fingerprintOf, type ListedSession, type PanelSession, sessionKey, sessionOfView, withView } from './listedSession';

/** Facts about sessions that are stored elsewhere. */
export interface SessionFactSources {
  /** Returns the sessions in open panels. The same view object means that nothing changed. */
  readonly panelSessions: () => readonly PanelSession[];
  /** Returns the sessions that are shown regardless of their connection. */
  readonly pinned: () => readonly SessionReference[];
  /** Returns the latest decision by a rule on this machine in a session. The object stays the same until there is a later decision. */
  readonly ruleOf: (reference: SessionReference) => ListedSession['byRule'];
  readonly isDismissed: (reference: SessionReference, eventId: string) => boolean;
}

/** Sessions of a connection, and pinned and open sessions of other connections. */
export interface AllSessions {
  /** All sessions. The array stays the same until a session changes. */
  readonly all: readonly ListedSession[];
  /** Number of sessions of the connection itself. `known` counts the sessions whose open asks are known. */
  readonly own: number;
  readonly known: number;
}

/** Latest response of the service about a session. `asOf` is the time of the request, in monotonic milliseconds. */
interface SessionRecord {
  readonly connection: string;
  readonly session: Session;
  readonly asOf: number;
  /** Time of the last poll that found more tokens, in milliseconds since 1970. */
  readonly movedAt: number | undefined;
}

interface StoredLog extends LogFacts {
  /** Fingerprint of the session in the list when its events were read. */
  readonly fingerprint: string;
  readonly readAt: number;
  readonly asOf: number;
  readonly isSettled: boolean;
  readonly agentId: string | undefined;
}

interface Derived {
  readonly of: readonly unknown[];
  readonly listed: ListedSession;
  readonly isKnown: boolean;
  readonly createdAt: number;
}

/**
 * Store of all facts about sessions: responses of the service, facts from logs, and the state of open panels. The response to a later
 * request wins over an earlier response, and a live panel wins over both. Each session is derived from these facts and memoized.
 */
export class SessionFacts {
  private readonly records = new Map<string, SessionRecord>();
  private readonly logs = new Map<string, StoredLog>();
  /** Times at which sessions were found deleted, in monotonic milliseconds. Responses to earlier requests don't restore them. */
  private readonly gone = new Map<string, number>();
  private readonly changed = new Emitter<void>();
  private readonly stale = new Emitter<SessionReference>();
  private derived = new Map<string, Derived>();
  private version = 0;
  private current: AllSessions & { readonly of: readonly unknown[] } = { of: [], all: [], own: 0, known: 0 };
  /** Limits of each agent, derived from the finished turns in all logs. `undefined` after a change. */
  private limits: ReadonlyMap<string, TurnExtremes> | undefined;

  readonly onDidChange: Event<void> = this.changed.event;
  /** Fires with a session that the service reported as archived while its open panel doesn't show that. */
  readonly onDidOutdate: Event<SessionReference> = this.stale.event;

  constructor(
    private readonly clock: Clock,
    private readonly sources: SessionFactSources,
  ) {}

  /** Returns all sessions in the order of `items`. If some sessions are not among `items`, sorts all sessions by creation, newest first. */
  all(connection: string, items: readonly Session[]): AllSessions {
    const panels = this.sources.panelSessions();
    const pins = this.sources.pinned().map(sessionKey);
    // Problems of running sessions depend on the time.
    const minute = Math.floor(this.clock.now() / 60_000);
    const of = [this.version, minute, connection, items, pins.join(' '), ...panels.map(({ view }) => view)];
    if (!isSame(this.current.of, of)) {
      this.current = { of, ...this.derive(connection, items, panels, new Set(pins)) };
    }
    return this.current;
  }

  find(reference: SessionReference, current: string | undefined, items: readonly Session[]): ListedSession | undefined {
    const { connection, sessionId } = reference;
    const key = sessionKey(reference);
    const view = this.viewOf(key);
    const item = connection === current ? items.find(({ id }) => id === sessionId) : undefined;
    const session = this.records.get(key)?.session ?? item ?? (view && sessionOfView(sessionId, view));
    return session && this.toListed(key, connection, session, view, current).listed;
  }

  /** Returns when the latest known state of a session was requested, in monotonic milliseconds. */
  asOf(reference: SessionReference): number | undefined {
    return this.records.get(sessionKey(reference))?.asOf;
  }

  /**
   * Stores sessions that the service returned to a request at `asOf`, in monotonic milliseconds. Returns the sessions that were not found
   * to be deleted since.
   */
  take(connection: string, sessions: readonly Session[], asOf: number): readonly Session[] {
    const existing = sessions.filter(({ id }) => !this.wasGone(sessionKey({ connection, sessionId: id }), asOf));
    let isNews = false;
    for (const session of existing) {
      const reference = { connection, sessionId: session.id };
      isNews = this.takeOne(reference, session, asOf) || isNews;
      const view = session.archived_at ? this.viewOf(sessionKey(reference)) : undefined;
      if (view !== undefined && view.state !== 'archived' && view.state !== 'deleted') {
        this.stale.fire(reference);
      }
    }
    if (isNews) {
      this.outdate();
    }
    return existing;
  }

  see({ view, transcript, ...reference }: PanelSession): void {
    const asOf = this.clock.monotonic();
    const session = withView(this.records.get(sessionKey(reference))?.session ?? sessionOfView(reference.sessionId, view), view);
    this.takeOne(reference, session, asOf);
    const { rest, endId } = view;
    const asks = asksOfView(view);
    const log = transcript && askLogOf(transcript, asks);
    const said = { firstWords: view.firstWords || undefined, question: questionIn(transcript?.events ?? [], rest) };
    this.setLog(reference, session, { asks, log, rest, endId, ...said }, asOf);
  }

  remove(reference: SessionReference): void {
    const key = sessionKey(reference);
    this.records.delete(key);
    this.gone.delete(key);
    this.gone.set(key, this.clock.monotonic());
    dropOldest(this.gone, maxGone);
    this.outdate();
  }

  /** Returns whether a session was found to be deleted, and not reported since. */
  isGone(reference: SessionReference): boolean {
    return this.gone.has(sessionKey(reference));
  }

  logOf(reference: SessionReference): LogFacts | undefined {
    return this.logs.get(sessionKey(reference));
  }

  /**
   * Stores facts from the events of a session, unless later facts are known. The events were requested at `asOf`, while the list showed
   * `session`.
   */
  setLog(reference: SessionReference, session: Session, log: LogFacts, asOf: number = this.clock.monotonic()): void {
    const key = sessionKey(reference);
    const before = this.logs.get(key);
    if (before !== undefined && before.asOf > asOf) {
      return;
    }
    const fingerprint = fingerprintOf(session);
    const known = log.log ?? before?.log;
    const cost = toMoney(session.usage?.list_cost);
    const progress = known && withCost(known.progress, cost?.cents, cost?.currency ?? '', before?.log?.progress);
    this.logs.set(key, {
      ...log,
      log: known && progress && { ...known, progress },
      agentId: session.agent?.id,
      firstWords: log.firstWords ?? before?.firstWords,
      said: log.said ?? before?.said,
      question: log.question ?? before?.question,
      fingerprint,
      readAt: this.clock.monotonic(),
      asOf,
      // A service that reports whole seconds can hide a second change within one second.
      isSettled: before?.fingerprint === fingerprint || Math.abs(this.clock.now() - Date.parse(session.updated_at ?? '')) > 5_000,
    });
    this.outdate();
  }

  /** Records that the events of a session could not be read. Known facts stay, and the events are read again later. */
  failed(reference: SessionReference, session: Session): void {
    this.setLog(reference, session, { asks: [], firstWords: undefined, ...this.logs.get(sessionKey(reference)), isUnknown: true });
  }

  answered(reference: SessionReference, event: string): void {
    this.amendLog(reference, ({ log, asks }) => ({
      log: log && withAnswer(log, event),
      asks: asks.filter(({ eventId }) => eventId !== event),
    }));
  }

  /** Stores the first words of a session whose events were read. The words are its name if the session has no title. */
  name(reference: SessionReference, firstWords: string): void {
    this.amendLog(reference, () => ({ firstWords }));
  }

  isDue(reference: SessionReference, session: Session): boolean {
    const { status, archived_at: archivedAt } = session;
    const known = this.logs.get(sessionKey(reference));
    if (archivedAt || known === undefined || this.isOutdated(reference, session)) {
      return !archivedAt;
    }
    // While a session runs, a custom tool can start to wait without a change in the list. After the end of a session, no events follow.
    const settled = status === 'idle' ? Number.POSITIVE_INFINITY : runningInterval;
    const least = known.isUnknown === true ? unknownInterval : known.isSettled ? settled : unsettledInterval;
    return status !== 'terminated' && this.clock.monotonic() - known.readAt >= least;
  }

  /** Returns whether the list shows that a session changed since its events were read. */
  isOutdated(reference: SessionReference, session: Session): boolean {
    return this.logs.get(sessionKey(reference))?.fingerprint !== fingerprintOf(session);
  }

  /** Invalidates the derived sessions after a fact changed. */
  outdate(): void {
    this.version++;
    this.limits = undefined;
    this.changed.fire();
  }

  clear(): void {
    this.records.clear();
    this.logs.clear();
    this.gone.clear();
    this.outdate();
  }

  private takeOne(reference: SessionReference, reported: Session, asOf: number): boolean {
    const key = sessionKey(reference);
    const before = this.records.get(key);
    if ((before?.asOf ?? -1) > asOf || this.wasGone(key, asOf)) {
      return false;
    }
    const session = withoutLongParts(reported);
    const isNews = before === undefined || JSON.stringify(before.session) !== JSON.stringify(session);
    // Moves the latest response to the end of the map. An unchanged session keeps its object.
    this.records.delete(key);
    const isMoved = before !== undefined && tokensOf(session) > tokensOf(before.session);
    const movedAt = isMoved ? this.clock.now() : before?.movedAt;
    this.records.set(key, { connection: reference.connection, session: isNews ? session : before.session, asOf, movedAt });
    this.gone.delete(key);
    dropOldest(this.records, maxRecords);
    return isNews;
  }

  private amendLog(reference: SessionReference, change: (known: StoredLog) => Partial<StoredLog>): void {
    const known = this.logs.get(sessionKey(reference));
    if (known !== undefined) {
      this.logs.set(sessionKey(reference), { ...known, ...change(known) });
    }
    this.outdate();
  }

  private wasGone(key: string, asOf: number): boolean {
    return (this.gone.get(key) ?? Number.NEGATIVE_INFINITY) > asOf;
  }

  private viewOf(key: string): SessionView | undefined {
    return this.sources.panelSessions().find(panel => sessionKey(panel) === key)?.view;
  }

  private derive(connection: string, items: readonly Session[], panels: readonly PanelSession[], pins: ReadonlySet<string>): AllSessions {
    const views = new Map(panels.map(one => [sessionKey(one), one.view]));
    const rows = new Map<string, Derived>();
    const add = (key: string, from: string, session: Session) => {
      if (!rows.has(key)) {
        rows.set(key, this.toListed(key, from, session, views.get(key), connection));
      }
    };
    for (const item of items) {
      const key = sessionKey({ connection, sessionId: item.id });
      add(key, connection, this.records.get(key)?.session ?? item);
    }
    const onList = rows.size;
    for (const [key, record] of this.records) {
      if (record.connection === connection || pins.has(key)) {
        add(key, record.connection, record.session);
      }
    }
    for (const one of panels.filter(({ view }) => view.state !== 'deleted')) {
      add(sessionKey(one), one.connection, sessionOfView(one.sessionId, one.view));
    }
    this.derived = rows;
    const sorted = rows.size > onList ? [...rows.values()].sort((a, b) => b.createdAt - a.createdAt) : [...rows.values()];
    const own = sorted.filter(({ listed }) => listed.connection === connection);
    const all = sorted.map(({ listed }) => listed);
    return { all: reuseIfSame(this.current.all, all), own: own.length, known: own.filter(({ isKnown }) => isKnown).length };
  }

  /** Derives a session, or returns the same object as before if the session is derived from the same facts. */
  private toListed(
    key: string,
    connection: string,
    reported: Session,
    view: SessionView | undefined,
    current: string | undefined,
  ): Derived {
    const reference = { connection, sessionId: reported.id };
    const log = this.logs.get(key);
    const session = view === undefined ? reported : withView(reported, view);
    const byRule = this.sources.ruleOf(reference);
    const why = (view ?? log)?.rest;
    const isDismissed = why?.kind === 'asked' && this.sources.isDismissed(reference, why.eventId);
    const minute = log?.log?.progress.isResting === false ? Math.floor(this.clock.now() / 60_000) : 0;
    const of = [reported, log, view, byRule, isDismissed, connection === current, minute];
    const before = this.derived.get(key);
    if (before !== undefined && isSame(before.of, of)) {
      return before;
    }
    const asks = view === undefined ? (log?.asks ?? []) : asksOfView(view);
    const isUnknown = view === undefined && log?.isUnknown === true;
    const isArchived = Boolean(session.archived_at);
    const state = stateOf({ status: session.status ?? '', isArchived, isWaiting: asks.length > 0, isUnknown, rest: why });
    const rest = restIn(state, why);
    const problem = isRunning(state) ? this.problemOf(key, connection, session) : undefined;
    const isAsking = rest?.kind === 'asked' && !isDismissed;
    const listed: ListedSession = {
      ...{ connection, session, state, asks },
      ...defined({ isElsewhere: connection !== current || undefined, byRule, rest, problem }),
      ...(isAsking ? { question: { eventId: rest.eventId, text: log?.question ?? '' } } : {}),
      name: session.title?.trim() || view?.firstWords || log?.firstWords,
    };
    const isKnown = isArchived || session.status === 'terminated' || view !== undefined || (log !== undefined && !isUnknown);
    const derived = { of, listed, isKnown, createdAt: Date.parse(session.created_at ?? '') || 0 };
    this.derived.set(key, derived);
    return derived;
  }

  private problemOf(key: string, connection: string, session: Session): ListedSession['problem'] {
    const progress = this.logs.get(key)?.log?.progress;
    const movedAt = Math.max(Date.parse(session.updated_at ?? '') || 0, this.records.get(key)?.movedAt ?? 0);
    return progress && progressProblem(progress, { now: this.clock.now(), movedAt, limits: this.limitsOf(connection, session.agent?.id) });
  }

  private limitsOf(connection: string, agentId: string | undefined): TurnExtremes {
    if (this.limits === undefined) {
      const turns = new Map<string, readonly TurnExtremes[]>();
      for (const [key, { agentId: agent, log }] of this.logs) {
        const name = JSON.stringify([key.slice(0, key.indexOf('\n')), agent]);
        turns.set(name, [...(turns.get(name) ?? []), ...(log?.progress.turns ?? [])]);
      }
      this.limits = new Map([...turns].map(([name, of]) => [name, limitsOf(of)]));
    }
    return this.limits.get(JSON.stringify([connection, agentId])) ?? limitsOf([]);
  }
}

function tokensOf({ usage }: Session): number {
  return (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0);
}

const maxRecords = 20_000;
const maxGone = 1_000;

// Minimum intervals between two reads of a session's events, in milliseconds.
const runningInterval = 10_000;
const unsettledInterval = 2_000;
const unknownInterval = 30_000;

/** Returns a session without prompts, tools, resources and metadata, to save memory. */
function withoutLongParts(session: Session): Session {
  const { agent, resources: _, vault_ids: __, metadata: ___, ...rest } = session;
  if (!agent) {
    return rest;
  }
  const { id, type, name, version, model } = agent;
  return { ...rest, agent: { id, type, name, version, model } };
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) {
      return;
    }
    map.delete(key);
  }
}
