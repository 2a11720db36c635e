import * as vscode from 'vscode';
import { askChoice, askChoices, separator } from '../../../common/asking/askSteps';
import { unlessCancelled } from '../../../common/cancellation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { SessionsFilter } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { type Connection, reach, readyConnection } from '../../connection';
import type { SessionActionContext } from '../sessionActionContext';
import { pickAgent } from '../starting/agentPicker';
import { describeHours, isFiltering, showsArchived } from './sessionFilter';
import { type GroupName, groupNames, groupTitle } from './sessionGroups';
import { describeSort, type SessionSort, sessionSorts, writeSort } from './sessionStore';

type Row = readonly [label: string, description: string, ask: () => Promise<SessionsFilter>];

/** Asks for a filter, part by part, starting from the current filter. Throws a `CancelledError` if the user cancels. */
export async function askFilter(deps: SessionActionContext): Promise<SessionsFilter> {
  const { t } = vscode.l10n;
  const { store } = deps;
  const connection = await readyConnection(deps.connections);
  const title = t('Filter Sessions');
  let filter = store.filter;
  let active: number | 'apply' = 0;
  for (;;) {
    const before: SessionsFilter = filter;
    const sort: Row = [
      `$(arrow-swap) ${t('Sort')}`,
      describeSort(store.sort, t),
      async () => {
        store.setSort(await askSort(title, store.sort));
        await writeSort(deps.memento, store.sort);
        return before;
      },
    ];
    const rows = [...rowsOf(before, title, () => askAgent(deps, connection, before, title)), sort];
    const chosen: number | 'apply' | 'clear' = await askChoice<number | 'apply' | 'clear'>({
      title,
      placeholder: t('Select a filter'),
      choices: [
        ...rows.map(([label, description], value) => ({ label, description, value })),
        separator(''),
        { label: `$(filter-filled) ${t('Apply')}`, value: 'apply' },
        ...(isFiltering(before) ? [{ label: `$(clear-all) ${t('Show All Sessions')}`, value: 'clear' as const }] : []),
      ],
      active,
    });
    if (typeof chosen === 'string') {
      return chosen === 'apply' ? before : {};
    }
    active = rows[chosen] === sort ? chosen : 'apply';
    filter = await unlessCancelled(before, async () => (await rows[chosen]?.[2]()) ?? before);
  }
}

/** Returns the parts of a filter, with their values and questions. */
function rowsOf(filter: SessionsFilter, title: string, agent: () => Promise<SessionsFilter>): readonly Row[] {
  const { t } = vscode.l10n;
  const { withinHours } = filter;
  const isShown = showsArchived(filter);
  const states = (filter.states ?? []).map(state => groupTitle(state as GroupName, t)).join(', ');
  return [
    [`$(robot) ${t('Agent')}`, filter.agent === undefined ? t('all') : withoutIcons(toLabel(filter.agent.name, 80)), agent],
    [
      `$(list-filter) ${t('State')}`,
      states || t('all'),
      async () => ({ ...filter, includeArchived: isShown, states: await askStates(title, filter) }),
    ],
    [
      `$(calendar) ${t('Created')}`,
      withinHours === undefined ? t('any time') : describeHours(withinHours, t),
      async () => {
        const hours = await askTime(title, filter);
        return hours === 0 ? without(filter, 'withinHours') : { ...filter, withinHours: hours };
      },
    ],
    [
      `$(${isShown ? 'check' : 'archive'}) ${t('Archived Sessions')}`,
      isShown ? t('shown') : t('hidden'),
      async () => ({ ...filter, states: filter.states?.filter(state => state !== 'archived'), includeArchived: !isShown }),
    ],
  ];
}

async function askAgent(
  deps: SessionActionContext,
  connection: Connection,
  filter: SessionsFilter,
  title: string,
): Promise<SessionsFilter> {
  if (filter.agent !== undefined) {
    const keep = await askChoice<'other' | 'all'>({
      title,
      placeholder: vscode.l10n.t('Select an agent'),
      choices: [
        { label: vscode.l10n.t('All Agents'), value: 'all' },
        { label: vscode.l10n.t('Enter Agent ID...'), value: 'other' },
      ],
    });
    if (keep === 'all') {
      return without(filter, 'agent');
    }
  }
  const { client } = await reach(deps.connections, connection, 'read');
  const { id, name } = await pickAgent(client, { title, placeholder: vscode.l10n.t('Select an agent') }, deps.presentation());
  return { ...filter, agent: { id, name } };
}

async function askStates(title: string, { states = [] }: SessionsFilter): Promise<readonly string[]> {
  const choices = groupNames.filter(state => state !== 'archived').map(value => ({ label: groupTitle(value, vscode.l10n.t), value }));
  const placeholder = vscode.l10n.t('Filter by state');
  const chosen = await askChoices<string>({ title, placeholder, choices, ticked: states, validate: () => undefined });
  return chosen.length === choices.length ? [] : chosen;
}

async function askTime(title: string, { withinHours = 0 }: SessionsFilter): Promise<number> {
  return await askChoice<number>({
    title,
    placeholder: vscode.l10n.t('Filter by date'),
    choices: [0, 1, 24, 24 * 7, 24 * 30].map(hours => ({
      label: hours === 0 ? vscode.l10n.t('any time') : describeHours(hours, vscode.l10n.t),
      value: hours,
    })),
    active: withinHours,
  });
}

async function askSort(title: string, active: SessionSort): Promise<SessionSort> {
  return await askChoice<SessionSort>({
    title,
    placeholder: vscode.l10n.t('Sort by'),
    choices: sessionSorts.map(sort => ({ label: describeSort(sort, vscode.l10n.t), value: sort })),
    active,
  });
}

function without(filter: SessionsFilter, part: keyof SessionsFilter): SessionsFilter {
  const { [part]: _, ...rest } = filter;
  return rest;
}
