import type { SessionFilters } from '../../../client/serviceClient';
import { join } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { SessionsFilter } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import type { ListedSession } from '../facts/listedSession';
import { type GroupName, groupOf, groupTitle } from './sessionGroups';

/** Whether a filter leaves anything out that is shown without one, or adds to it. */
export function isFiltering(filter: SessionsFilter): boolean {
  return (
    filter.agent !== undefined || showsStates(filter) !== undefined || filter.withinHours !== undefined || filter.includeArchived === true
  );
}

/** Returns the groups that are shown; `undefined` for all. */
function showsStates({ states }: SessionsFilter): ReadonlySet<string> | undefined {
  return states === undefined || states.length === 0 ? undefined : new Set(states);
}

/** Whether archived sessions are shown. */
function showsArchived(filter: SessionsFilter): boolean {
  return filter.includeArchived === true || showsStates(filter)?.has('archived') === true;
}

/** Whether a session passes; `now` is milliseconds since 1970. A session that does not say when it was created passes any time. */
export function passes(listed: ListedSession, filter: SessionsFilter, now: number): boolean {
  const { session } = listed;
  const group = groupOf(listed);
  const states = showsStates(filter);
  // Who asks for archived sessions beside certain states gets both.
  const stateFits = group === 'archived' ? showsArchived(filter) : states === undefined || states.has(group);
  if (!stateFits || (filter.agent !== undefined && session.agent?.id !== filter.agent.id)) {
    return false;
  }
  return filter.withinHours === undefined || !(Date.parse(session.created_at ?? '') < now - filter.withinHours * hour);
}

/**
 * The part of a filter that a service can apply (API facts, section 7). What waits is not known to it: that can be idle or
 * running. States it does not know are filtered here.
 */
export function toServiceFilters(filter: SessionsFilter, now: number): SessionFilters {
  const wanted = [...(showsStates(filter) ?? [])];
  const canSay = wanted.length > 0 && wanted.every(state => statuses.has(state)) && !showsArchived(filter);
  const asked = canSay ? [...new Set(wanted.flatMap(state => statuses.get(state) ?? []))] : undefined;
  return {
    ...(filter.agent === undefined ? {} : { agentId: filter.agent.id }),
    ...(asked === undefined ? {} : { statuses: asked }),
    ...(filter.withinHours === undefined ? {} : { createdSince: new Date(now - filter.withinHours * hour).toISOString() }),
    ...(showsArchived(filter) ? { includeArchived: true } : {}),
  };
}

/** Whether the service let through a session that it was asked to leave out. */
export function isIgnoredBy(session: ListedSession['session'], asked: SessionFilters): boolean {
  const { agentId, statuses: wanted, createdSince } = asked;
  // Whole seconds on some servers.
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

/** A filter in a few words, for the view's heading; '' for none. */
export function describeFilter(filter: SessionsFilter, translate: Translate): string {
  const states = [...(showsStates(filter) ?? [])].map(state => groupTitle(state as GroupName, translate));
  return join(
    ' · ',
    filter.agent === undefined ? '' : toLabel(filter.agent.name, 40),
    states.join(', '),
    filter.withinHours === undefined ? '' : describeHours(filter.withinHours, translate),
    filter.includeArchived === true && showsStates(filter)?.has('archived') !== true ? translate('with archived') : '',
  );
}

/** `last 24 hours`. */
export function describeHours(hours: number, translate: Translate): string {
  if (hours === 1) {
    return translate('last hour');
  }
  return hours % 24 === 0 && hours > 24 ? translate('last {0} days', hours / 24) : translate('last {0} hours', hours);
}
