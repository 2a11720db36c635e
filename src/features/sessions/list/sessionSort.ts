import type { Memento } from 'vscode';
import type { Translate } from '../../../common/text/translate';
import { toMoney } from '../../../shared/session/facts/tokens';
import type { ListedSession } from '../facts/listedSession';

/** Orders of the view. `needsYou` shows groups, those that need the user first. The others show one list. */
export const sessionSorts = ['needsYou', 'activity', 'cost'] as const;
export type SessionSort = (typeof sessionSorts)[number];

const key = 'managedAgents.sessionsSort';

/** Returns the saved order of this workspace, by default `needsYou`. */
export function readSort(memento: Pick<Memento, 'get'>): SessionSort {
  const stored: unknown = memento.get(key);
  return sessionSorts.find(sort => sort === stored) ?? 'needsYou';
}

export async function writeSort(memento: Pick<Memento, 'update'>, sort: SessionSort): Promise<void> {
  await memento.update(key, sort);
}

/** Sorts sessions in descending order. Those without the sorted value come last. Equal ones keep their order. */
export function sorted(sessions: readonly ListedSession[], sort: SessionSort): readonly ListedSession[] {
  const sortValueOf = ({ session }: ListedSession) =>
    sort === 'activity'
      ? Date.parse(session.updated_at ?? session.created_at ?? '') || 0
      : (toMoney(session.usage?.list_cost)?.cents ?? -1);
  return sort === 'needsYou' ? sessions : [...sessions].sort((a, b) => sortValueOf(b) - sortValueOf(a));
}

/** Describes an order. */
export function describeSort(sort: SessionSort, translate: Translate): string {
  return { needsYou: translate('needs you first'), activity: translate('by activity'), cost: translate('by cost') }[sort];
}
