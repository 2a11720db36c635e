import { defined } from '../../../shared/defined';
import { isNotBefore, objectOf, textOf, toMoment } from '../../../shared/session/eventFields';
import type { ThreadFacts } from '../../../shared/session/facts/sessionFacts';
import { toMoney } from '../../../shared/session/facts/tokens';
import type { ThreadView } from '../../../shared/session/threadViews';
import type { TranscriptState } from '../../../shared/session/transcript';
import { toLabel } from '../../../shared/text';
import type { ServiceObject, SessionSource } from '../facts/sessionSource';

/** Returns the threads of a session, the primary thread first. Includes listed threads and threads that events mention. */
export function toThreadViews(source: SessionSource, state: TranscriptState, status: string, isOpen: boolean): readonly ThreadView[] {
  const listed = new Map((source.threads ?? []).map(thread => [thread.id, thread]));
  const facts = state.facts.threads;
  const isPast = source.isPast === true;
  const primary = primaryOf(source, [...listed.values()], [...facts.keys()]) ?? state.shownThread ?? '';
  const waiting = countWaiting(state, isOpen, primary);
  const toView = (id: string): ThreadView => {
    const [thread, fact] = [listed.get(id), facts.get(id)];
    const isPrimary = id === primary;
    return {
      id,
      name: isPrimary ? 'Main' : toLabel(textOf(objectOf(thread?.agent)?.name) ?? fact?.agentName ?? id),
      isPrimary,
      status: isPrimary ? (fact?.status?.value ?? status) : statusOf(thread, fact, isPast),
      waiting: waiting.get(id) ?? 0,
      archived: !isPast && textOf(thread?.archived_at) !== undefined,
      ...defined({ cost: isPast ? undefined : toMoney(objectOf(thread?.usage)?.list_cost) }),
    };
  };
  const createdAt = ({ created_at }: ServiceObject) => toMoment(created_at)?.ms ?? 0;
  const byCreation = [...listed.values()].sort((a, b) => createdAt(a) - createdAt(b)).map(({ id }) => id);
  const ids = new Set([primary, ...byCreation, ...facts.keys()]);
  // A past state only includes threads that existed then.
  return [...ids].filter(id => id === primary || !isPast || facts.has(id)).map(toView);
}

/** Returns the primary thread. Its parent is null, or its id ends like the session's id (`sthr_1` of `sesn_1`). */
function primaryOf({ session }: SessionSource, listed: readonly ServiceObject[], named: readonly string[]): string | undefined {
  const found = listed.find(({ parent_thread_id: parent }) => parent === null);
  const { id: sessionId = '' } = session ?? {};
  const ending = sessionId.includes('_') ? sessionId.slice(sessionId.indexOf('_')) : undefined;
  return found?.id ?? [...listed.map(({ id }) => id), ...named].find(id => ending !== undefined && id.endsWith(ending));
}

function countWaiting(state: TranscriptState, isOpen: boolean, primary: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { thread = primary, answering } of isOpen ? state.asks : []) {
    if (answering !== true) {
      counts.set(thread, (counts.get(thread) ?? 0) + 1);
    }
  }
  return counts;
}

function statusOf(thread: ServiceObject | undefined, fact: ThreadFacts | undefined, isPast: boolean): string {
  const said = isPast ? undefined : textOf(thread?.status);
  const reportedAt = toMoment(thread?.updated_at);
  const { value, at } = fact?.status ?? {};
  const isOlder = said !== undefined && at !== undefined && reportedAt !== undefined && !isNotBefore(at, reportedAt);
  return (isOlder ? said : (value ?? said)) ?? '';
}
