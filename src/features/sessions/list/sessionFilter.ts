import type { SessionFilters } from '../../../client/resources/sessions';
import { join } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { SessionsFilter } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import type { ListedSession } from '../facts/listedSession';
import { type GroupName, groupOf, groupTitle } from './sessionGroups';

/** Returns whether a filter changes which sessions are shown. */
export function isFiltering(filter: SessionsFilter): boolean {
  return (
    filter.agent !== undefined || showsStates(filter) !== undefined || filter.withinHours !== undefined || filter.includeArchived === true
  );
}

/** Returns the groups that are shown; `undefined` for all. */
function showsStates({ states }: SessionsFilter): ReadonlySet<string> | undefined {
  return states === undefined || states.length === 0 ? undefined : new Set(states);
}

function showsArchived(filter: SessionsFilter): boolean {
  return filter.includeArchived === true || showsStates(filter)?.has('archived') === true;
}

/**
 * Returns whether a session passes a filter. `now` is in milliseconds since 1970. A session without a creation time passes any time filter.
 */
export function passes(listed: ListedSession, filter: SessionsFilter, now: number): boolean {
  const { session } = listed;
  const group = groupOf(listed);
  const states = showsStates(filter);
  // Archived sessions pass in addition to those in the chosen states.
  const stateFits = group === 'archived' ? showsArchived(filter) : states === undefined || states.has(group);
  if (!stateFits || (filter.agent !== undefined && session.agent?.id !== filter.agent.id)) {
    return false;
  }
  return filter.withinHours === undefined || !(Date.parse(session.created_at ?? '') < now - filter.withinHours * hour);
}

/** Returns the part of a filter that a service can apply (API facts, section 7). The store applies the rest. */
export function toServiceFilters(filter: SessionsFilter, now: number): SessionFilters {
  const wanted = [...(showsStates(filter) ?? [])];
  const canFilter = wanted.length > 0 && wanted.every(state => statuses.has(state)) && !showsArchived(filter);
  const asked = canFilter ? [...new Set(wanted.flatMap(state => statuses.get(state) ?? []))] : undefined;
  return {
    ...(filter.agent === undefined ? {} : { agentId: filter.agent.id }),
    ...(asked === undefined ? {} : { statuses: asked }),
    ...(filter.withinHours === undefined ? {} : { createdSince: new Date(now - filter.withinHours * hour).toISOString() }),
    ...(showsArchived(filter) ? { includeArchived: true } : {}),
  };
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

/** Describes a filter for the heading of the view. Returns '' if it is empty. */
export function describeFilter(filter: SessionsFilter, translate: Translate): string {
  const states = [...(showsStates(filter) ?? [])].map(state => groupTitle(state as GroupName, translate));
  return join(
    ' · ',
    filter.agent === undefined ? '' : toLabel(filter.agent.name, 40),
    states.join(', '),
    filter.withinHours === undefined ? '' : describeHours(filter.withinHours, translate),
    filter.includeArchived === true && showsStates(filter)?.has('archived') !== true ? translate('including archived') : '',
  );
}

/** Describes a period: `last 24 hours`. */
export function describeHours(hours: number, translate: Translate): string {
  if (hours === 1) {
    return translate('last hour');
  }
  return hours % 24 === 0 && hours > 24 ? translate('last {0} days', hours / 24) : translate('last {0} hours', hours);
}
