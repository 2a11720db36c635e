import type { Session } from '../../../../client/schemas/sessions';
import { changedPlaces } from '../../../../common/lists/changedPlaces';
import { isSame, keptIfSame } from '../../../../common/lists/keptList';
import type { SessionReference } from '../../../../contributions';
import { restIn, stateOf } from '../../../../shared/session/facts/sessionState';
import type { SeenSession } from '../../sessionPanels';
import { asksOfView, type ListedSession, sessionOfView, withView } from '../listedSession';
import type { SessionLook, SessionLooks } from './sessionLooks';
import { needsAmong, needsUser, type SessionNeeds } from './sessionNeeds';
import { lookKey, type SessionRecords } from './sessionRecords';

/** Whether something happened in a session, by its `updated_at`, since the user looked at it. */
export type UnreadTest = (reference: SessionReference, updatedAt: string | null | undefined) => boolean;

/** Returns the latest decision by a rule on this machine in a session: the same object until there is a later one. */
export type RuleOf = (reference: SessionReference) => ListedSession['byRule'];

/** What is known of sessions one by one. Whoever changes any of it says so by `outdate`. */
export interface SessionSources {
  readonly records: Pick<SessionRecords, 'get' | 'all'>;
  readonly looks: Pick<SessionLooks, 'get'>;
  readonly isUnread: UnreadTest;
  readonly ruleOf: RuleOf;
}

/** Which sessions are wanted: those of a connection, with what its list has, and those that are open or pinned, of whichever connection. */
export interface WantedSessions {
  readonly connection: string;
  readonly items: readonly Session[];
  readonly seen: readonly SeenSession[];
  /** By `lookKey`. */
  readonly pinned: readonly string[];
}

/** Sessions as rows show them, with how many are of the connection itself, and of how many of these it is known whether they wait. */
export interface AllSessions extends SessionNeeds {
  /** The same list as long as all in it are the same. */
  readonly all: readonly ListedSession[];
  readonly own: number;
  readonly known: number;
}

type View = SeenSession['view'] | undefined;

/** A session, and what it was made of. */
interface Part {
  readonly key: string;
  /** Its place on the list of the service; -1 where it is not on it. */
  readonly onList: number;
  readonly told: Session;
  readonly look: SessionLook | undefined;
  readonly view: View;
  readonly isUnread: boolean;
  readonly byRule: ListedSession['byRule'];
  readonly listed: ListedSession;
  readonly isKnown: boolean;
  /** Milliseconds since 1970; 0 where that is not told. */
  readonly createdAt: number;
}

interface PartPlace extends Pick<Part, 'key' | 'onList' | 'view'> {
  readonly connection: string;
}

interface Made extends AllSessions {
  readonly of: WantedSessions;
  /** In the order of `all`. */
  readonly parts: readonly Part[];
  readonly places: ReadonlyMap<string, number>;
  /** Some are not on the list of the service, so that all stand in the order in which they were created. */
  readonly isSorted: boolean;
}

/** Sessions made of all that is known of them. What a change does not touch is not looked at again: lists of ten thousand change with every event. */
export class MadeSessions {
  private made: Made | undefined;
  private readonly outdated = new Set<string>();
  private isAllOutdated = false;

  constructor(private readonly sources: SessionSources) {}

  /** Notes that something else is known of a session; of any of them where none is named. */
  outdate(key?: string): void {
    if (key === undefined) {
      this.isAllOutdated = true;
    } else {
      this.outdated.add(key);
    }
  }

  /** All that are wanted. */
  take(wanted: WantedSessions): AllSessions {
    const { made: before } = this;
    const made = (before === undefined || this.isAllOutdated ? undefined : this.patched(before, wanted)) ?? this.makeAll(before, wanted);
    this.made = made;
    this.outdated.clear();
    this.isAllOutdated = false;
    return made;
  }

  /** One session. */
  toListed({ connection, sessionId }: SessionReference, current: string | undefined, told: Session, view: View): ListedSession {
    return this.toPart({ key: lookKey({ connection, sessionId }), connection, onList: -1, view }, told, current).listed;
  }

  /** What was made before with what changed since; undefined where there are others than before, or in another order. */
  private patched(before: Made, wanted: WantedSessions): Made | undefined {
    const { connection, items, seen } = wanted;
    if (before.of.connection !== connection || !isSame(before.of.pinned, wanted.pinned)) {
      return undefined;
    }
    if (!this.noteViews(before.of.seen, seen) || !this.noteItems(before, items)) {
      return undefined;
    }
    if (this.outdated.size === 0) {
      return { ...before, of: wanted };
    }
    const views = viewsOf(seen);
    const pins = new Set(wanted.pinned);
    const changes = new Map<number, Part>();
    for (const key of this.outdated) {
      const place = before.places.get(key);
      const old = place === undefined ? undefined : before.parts[place];
      const record = this.sources.records.get(key);
      if (place === undefined || old === undefined) {
        if (record !== undefined && (record.connection === connection || pins.has(key))) {
          return undefined;
        }
        continue;
      }
      const isShown = record !== undefined && (record.connection === connection || pins.has(key));
      const told = (isShown || old.onList >= 0 ? record?.session : undefined) ?? items[old.onList] ?? toldByView(views.get(key), old);
      if (told === undefined || (before.isSorted && told.created_at !== old.told.created_at)) {
        return undefined;
      }
      const { connection: own } = old.listed;
      const part = this.toPart({ key, connection: own, onList: old.onList, view: views.get(key) }, told, connection, old);
      if (part !== old) {
        changes.set(place, part);
      }
    }
    return changes.size === 0 ? { ...before, of: wanted } : withParts(before, wanted, changes);
  }

  /** Notes whose open panels show something else; false where others are open. */
  private noteViews(before: readonly SeenSession[], now: readonly SeenSession[]): boolean {
    const isAlike = before.length === now.length && now.every((one, index) => isAsOpen(one, before[index]));
    for (const [index, one] of isAlike ? now.entries() : []) {
      if (one.view !== before[index]?.view) {
        this.outdated.add(lookKey(one));
      }
    }
    return isAlike;
  }

  /** Notes of which sessions the list tells something else; false where it has others, or in another order. */
  private noteItems({ of: { connection, items: before } }: Made, now: readonly Session[]): boolean {
    const changed = now === before ? [] : changedPlaces(before, now, (one, other) => one.id === other.id);
    for (const { id } of changed?.flatMap(place => now[place] ?? []) ?? []) {
      this.outdated.add(lookKey({ connection, sessionId: id }));
    }
    return changed !== undefined;
  }

  private makeAll(before: Made | undefined, wanted: WantedSessions): Made {
    const { connection, items, seen } = wanted;
    const { records } = this.sources;
    const views = viewsOf(seen);
    const pins = new Set(wanted.pinned);
    const old = before?.of.connection === connection ? before : undefined;
    const listed: Part[] = [];
    const places = new Map<string, number>();
    for (const [index, session] of items.entries()) {
      // Most stand where they stood, and have their key.
      const inPlace = old?.parts[index];
      const isInPlace = inPlace?.onList === index && inPlace.told.id === session.id;
      const key = isInPlace ? inPlace.key : lookKey({ connection, sessionId: session.id });
      if (!places.has(key)) {
        places.set(key, listed.length);
        const part = isInPlace ? inPlace : old?.parts[old.places.get(key) ?? -1];
        listed.push(
          this.toPart({ key, connection, onList: index, view: views.get(key) }, records.get(key)?.session ?? session, connection, part),
        );
      }
    }
    const others: Part[] = [];
    const add = (key: string, from: string, session: Session) => {
      if (!places.has(key)) {
        places.set(key, -1);
        const part = old?.parts[old.places.get(key) ?? -1];
        others.push(this.toPart({ key, connection: from, onList: -1, view: views.get(key) }, session, connection, part));
      }
    };
    for (const record of records.all()) {
      const key = lookKey(record);
      if (record.connection === connection || pins.has(key)) {
        add(key, record.connection, record.session);
      }
    }
    for (const one of seen.filter(({ view }) => view.state !== 'deleted')) {
      add(lookKey(one), one.connection, sessionOfView(one.sessionId, one.view));
    }
    // The list is in the service's order; what is not on it goes where it would be.
    const isSorted = others.length > 0;
    const parts = isSorted ? byCreation([...listed, ...others]) : listed;
    if (isSorted) {
      for (const [place, { key }] of parts.entries()) {
        places.set(key, place);
      }
    }
    const own = parts.filter(part => part.listed.connection === connection);
    const all = keptIfSame(
      before?.all,
      parts.map(part => part.listed),
    );
    return {
      ...{ of: wanted, parts, places, isSorted, all, ...needsAmong(all, before) },
      own: own.length,
      known: own.filter(({ isKnown }) => isKnown).length,
    };
  }

  /** The very part of before where it is made of the same. */
  private toPart(of: PartPlace, told: Session, current: string | undefined, old?: Part): Part {
    const { key, connection, onList, view } = of;
    const look = this.sources.looks.get(key);
    const session = view === undefined ? told : withView(told, view);
    const isUnread = this.sources.isUnread({ connection, sessionId: told.id }, session.updated_at);
    const byRule = this.sources.ruleOf({ connection, sessionId: told.id });
    const isUnchanged = old?.told === told && old.look === look && old.view === view && old.isUnread === isUnread && old.byRule === byRule;
    if (old !== undefined && isUnchanged) {
      return old.onList === onList ? old : { ...old, onList };
    }
    const asks = view === undefined ? (look?.asks ?? []) : asksOfView(view);
    const isUnknown = view === undefined && look?.isUnknown === true;
    const why = (view ?? look)?.rest;
    const state = stateOf({
      status: session.status ?? '',
      isArchived: Boolean(session.archived_at),
      isWaiting: asks.length > 0,
      isUnknown,
      rest: why,
    });
    const rest = restIn(state, why);
    const listed: ListedSession = {
      connection,
      ...(connection === current ? {} : { isElsewhere: true }),
      session,
      state,
      asks,
      ...(isUnread ? { isUnread: true } : {}),
      ...(byRule === undefined ? {} : { byRule }),
      ...(rest === undefined ? {} : { rest }),
      name: session.title?.trim() || view?.firstWords || look?.firstWords,
    };
    const isOver = Boolean(session.archived_at) || session.status === 'terminated';
    const isKnown = isOver || view !== undefined || (look !== undefined && !isUnknown);
    return { key, onList, told, look, view, isUnread, byRule, listed, isKnown, createdAt: Date.parse(session.created_at ?? '') || 0 };
  }
}

function withParts(before: Made, of: WantedSessions, changes: ReadonlyMap<number, Part>): Made {
  const all = [...before.all];
  const parts = [...before.parts];
  let { known } = before;
  let concernsNeeds = false;
  for (const [place, part] of changes) {
    concernsNeeds ||= [part.listed, before.all[place]].some(needsUser);
    if (part.listed.connection === of.connection) {
      known += Number(part.isKnown) - Number(parts[place]?.isKnown);
    }
    all[place] = part.listed;
    parts[place] = part;
  }
  return { ...before, of, all, parts, known, ...(concernsNeeds ? needsAmong(all, before) : {}) };
}

function viewsOf(seen: readonly SeenSession[]): ReadonlyMap<string, SeenSession['view']> {
  return new Map(seen.map(one => [lookKey(one), one.view]));
}

function toldByView(view: View, { told }: Part): Session | undefined {
  return view === undefined || view.state === 'deleted' ? undefined : sessionOfView(told.id, view);
}

/** Whether a panel shows the same session as before, which is still there or still gone. */
function isAsOpen(now: SeenSession, before: SeenSession | undefined): boolean {
  return (
    now.connection === before?.connection &&
    now.sessionId === before.sessionId &&
    (now.view.state === 'deleted') === (before.view.state === 'deleted')
  );
}

function byCreation(parts: Part[]): readonly Part[] {
  return parts.sort((a, b) => b.createdAt - a.createdAt);
}
