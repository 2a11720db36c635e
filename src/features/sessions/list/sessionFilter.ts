import type { SessionFilters } from '../../../client/resources/sessions';
import type { Translate } from '../../../common/text/translate';
import type { SessionsFilter } from '../../../contributions';
import { defined } from '../../../shared/defined';
import { join, toLabel } from '../../../shared/text';
import type { ListedSession } from '../facts/listedSession';
import { type GroupName, groupOf, groupTitle } from './sessionGroups';

/** Returns whether a filter changes which sessions are shown. */
export function isFiltering({ agent, states = [], withinHours, includeArchived }: SessionsFilter): boolean {
  return agent !== undefined || states.length > 0 || withinHours !== undefined || includeArchived === true;
}

/** Returns whether a filter shows archived sessions: in addition to the chosen states, or as one of them. */
export function showsArchived({ states = [], includeArchived }: SessionsFilter): boolean {
  return includeArchived === true || states.includes('archived');
}

/**
 * Returns whether a session passes a filter. `now` is in milliseconds since 1970. A session without a creation time passes any time filter.
 */
export function passes(listed: ListedSession, filter: SessionsFilter, now: number): boolean {
  const { session } = listed;
  const { agent, states = [], withinHours } = filter;
  const group = groupOf(listed);
  const stateFits = group === 'archived' ? showsArchived(filter) : states.length === 0 || states.includes(group);
  if (!stateFits || (agent !== undefined && session.agent?.id !== agent.id)) {
    return false;
  }
  return withinHours === undefined || !(Date.parse(session.created_at ?? '') < now - withinHours * hour);
}

/** Returns the part of a filter that a service can apply (API facts, section 7). The store applies the rest. */
export function toServiceFilters(filter: SessionsFilter, now: number): SessionFilters {
  const { agent, states = [], withinHours } = filter;
  const includeArchived = showsArchived(filter);
  const canFilter = states.length > 0 && states.every(state => statuses.has(state)) && !includeArchived;
  return defined({
    agentId: agent?.id,
    statuses: canFilter ? [...new Set(states.flatMap(state => statuses.get(state) ?? []))] : undefined,
    createdSince: withinHours === undefined ? undefined : new Date(now - withinHours * hour).toISOString(),
    includeArchived: includeArchived ? true : undefined,
  });
}

/** Returns whether the service returned a session although the requested filter excludes it. */
export function isIgnoredBy(session: ListedSession['session'], asked: SessionFilters): boolean {
  const { agentId, statuses: wanted, createdSince } = asked;
  // Some servers compare whole seconds.
  const tooOld = createdSince !== undefined && Date.parse(session.created_at ?? '') < Date.parse(createdSince) - 1000;
  const otherStatus = wanted !== undefined && typeof session.status === 'string' && !wanted.includes(session.status);
  return tooOld || otherStatus || (agentId !== undefined && session.agent?.id !== undefined && session.agent.id !== agentId);
}

const statuses: ReadonlyMap<string, readonly string[]> = new Map<GroupName, readonly string[]>([
  ['needsYou', ['idle', 'running']],
  ['running', ['running', 'rescheduling']],
  ['failed', ['idle', 'running', 'terminated']],
  ['done', ['idle']],
]);

const hour = 3_600_000;

/** Describes a filter for the heading of the view. Returns '' if the filter is empty. */
export function describeFilter({ agent, states = [], withinHours, includeArchived }: SessionsFilter, translate: Translate): string {
  return join(
    ' · ',
    agent === undefined ? '' : toLabel(agent.name, 40),
    states.map(state => groupTitle(state as GroupName, translate)).join(', '),
    withinHours === undefined ? '' : describeHours(withinHours, translate),
    includeArchived === true && !states.includes('archived') ? translate('including archived') : '',
  );
}

/** Describes a period: `last 24 hours`. */
export function describeHours(hours: number, translate: Translate): string {
  if (hours === 1) {
    return translate('last hour');
  }
  return hours % 24 === 0 && hours > 24 ? translate('last {0} days', hours / 24) : translate('last {0} hours', hours);
}
