import type { Translate } from '../../../common/text/translate';
import { isTrouble, stateWords } from '../../../shared/session/facts/sessionState';
import type { ListedSession } from '../facts/listedSession';

/** Groups of the view, in order. */
export const groupNames = ['needsYou', 'running', 'failed', 'done', 'archived'] as const;
export type GroupName = (typeof groupNames)[number];

/** A group with its sessions: approvals before questions, otherwise newest first. */
export interface SessionGroup {
  readonly name: GroupName;
  readonly sessions: readonly ListedSession[];
}

/** Sessions of one deployment within a group. */
export interface DeploymentSessions {
  readonly deployment: string;
  readonly connection: string;
  readonly group: GroupName;
  readonly sessions: readonly ListedSession[];
}

/** Returns the rows of a group. Two or more sessions of one deployment share a row, at the position of the first session. */
export function rowsOf({ name: group, sessions }: SessionGroup): readonly (ListedSession | DeploymentSessions)[] {
  const rows = new Map<string, readonly ListedSession[]>();
  for (const listed of sessions) {
    const { connection, session } = listed;
    const key = JSON.stringify([connection, session.deployment_id || session.id]);
    rows.set(key, [...(rows.get(key) ?? []), listed]);
  }
  return [...rows.values()].flatMap(([first, ...others]) =>
    first === undefined || others.length === 0
      ? (first ?? [])
      : { deployment: first.session.deployment_id ?? '', connection: first.connection, group, sessions: [first, ...others] },
  );
}

/** Returns the groups that have sessions. */
export function groupsOf(sessions: readonly ListedSession[]): readonly SessionGroup[] {
  const groups = groupNames.map(name => ({ name, sessions: sessions.filter(listed => groupOf(listed) === name) }));
  return groups
    .filter(group => group.sessions.length > 0)
    .map(group => (group.name === 'needsYou' ? { ...group, sessions: group.sessions.toSorted((a, b) => urgency(a) - urgency(b)) } : group));
}

/** Returns the group of a session. Returns `needsYou` if its open asks could not be read. */
export function groupOf(listed: ListedSession): GroupName {
  const { state, question } = listed;
  switch (state) {
    case 'waiting':
    case 'unknown':
      return 'needsYou';
    case 'running':
    case 'rescheduling':
      return 'running';
    case 'archived':
      return 'archived';
    default:
      return question !== undefined ? 'needsYou' : isTrouble(listed) ? 'failed' : 'done';
  }
}

/** Returns the title of a group. */
export function groupTitle(name: GroupName, t: Translate): string {
  return { needsYou: t('Needs You'), running: t('Running'), failed: t('Failed'), done: t('Done'), archived: t('Archived') }[name];
}

/** Describes the state of a session in one or two words. A session that asked nothing and whose end is unknown counts as done. */
export function describeState({ state, session, rest, asks, question }: ListedSession, t: Translate): string {
  const why = rest === undefined || (rest.kind === 'asked' && question === undefined) ? ({ kind: 'done' } as const) : rest;
  const asksApproval = asks.some(({ kind }) => kind === 'confirmation');
  return stateWords({ state, status: session.status ?? '', rest: why, asksApproval }, t);
}

function urgency({ state }: ListedSession): number {
  return state === 'waiting' ? 0 : state === 'unknown' ? 2 : 1;
}

/** Returns whether a session is shown even if its page was not loaded. */
export function concerns(listed: ListedSession): boolean {
  const group = groupOf(listed);
  return group === 'needsYou' || group === 'running' || listed.state === 'failed' || listed.rest?.kind === 'budget';
}
