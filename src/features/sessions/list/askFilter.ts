import * as vscode from 'vscode';
import { askChoice, askChoices, type Choice, separator } from '../../../common/asking/askSteps';
import { unlessCancelled } from '../../../common/cancellation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { SessionsFilter } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { type Connection, reach, readyConnection } from '../../connection';
import type { SessionActionContext } from '../sessionActionContext';
import { pickAgent } from '../starting/agentPicker';
import { describeHours, isFiltering } from './sessionFilter';
import { type GroupName, groupNames, groupTitle } from './sessionGroups';
import { describeSort, type SessionSort, sessionSorts, writeSort } from './sessionStore';

type Part = 'agent' | 'states' | 'time' | 'archived' | 'sort' | 'apply' | 'clear';

/** Asks for a filter, part by part, starting from the current one. Throws a `CancelledError` if the user cancels. */
export async function askFilter(deps: SessionActionContext): Promise<SessionsFilter> {
  const connection = await readyConnection(deps.connections);
  const title = vscode.l10n.t('Filter Sessions');
  let filter = deps.store.filter;
  let active: Part = 'agent';
  for (;;) {
    const part: Part = await askChoice<Part>({
      title,
      placeholder: vscode.l10n.t('Select a filter'),
      choices: choicesOf(filter, deps.store.sort),
      active,
    });
    if (part === 'apply') {
      return filter;
    }
    if (part === 'clear') {
      return {};
    }
    active = 'apply';
    const before = filter;
    filter = await unlessCancelled(before, async () => {
      switch (part) {
        case 'agent':
          return await askAgent(deps, connection, before, title);
        case 'states':
          return { ...before, states: await askStates(title, before) };
        case 'time': {
          const withinHours = await askTime(title, before);
          return withinHours === 0 ? without(before, 'withinHours') : { ...before, withinHours };
        }
        case 'sort':
          deps.store.setSort(await askSort(title, deps.store.sort));
          await writeSort(deps.memento, deps.store.sort);
          active = 'sort';
          return before;
        case 'archived':
          return { ...before, includeArchived: before.includeArchived !== true };
      }
    });
  }
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
        { label: vscode.l10n.t('Another Agent...'), value: 'other' },
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

function choicesOf(filter: SessionsFilter, sort: SessionSort): readonly Choice<Part>[] {
  const all = vscode.l10n.t('all');
  const states = (filter.states ?? []).map(state => groupTitle(state as GroupName, vscode.l10n.t)).join(', ');
  return [
    {
      label: `$(robot) ${vscode.l10n.t('Agent')}`,
      description: filter.agent === undefined ? all : withoutIcons(toLabel(filter.agent.name, 80)),
      value: 'agent',
    },
    { label: `$(list-filter) ${vscode.l10n.t('State')}`, description: states === '' ? all : states, value: 'states' },
    {
      label: `$(calendar) ${vscode.l10n.t('Created')}`,
      description: filter.withinHours === undefined ? vscode.l10n.t('any time') : describeHours(filter.withinHours, vscode.l10n.t),
      value: 'time',
    },
    {
      label: `$(${filter.includeArchived === true ? 'check' : 'archive'}) ${vscode.l10n.t('Archived Sessions')}`,
      description: filter.includeArchived === true ? vscode.l10n.t('shown') : vscode.l10n.t('hidden'),
      value: 'archived',
    },
    { label: `$(arrow-swap) ${vscode.l10n.t('Sort')}`, description: describeSort(sort, vscode.l10n.t), value: 'sort' },
    separator(''),
    { label: `$(filter-filled) ${vscode.l10n.t('Apply')}`, value: 'apply' },
    ...(isFiltering(filter) ? [{ label: `$(clear-all) ${vscode.l10n.t('Show All Sessions')}`, value: 'clear' as const }] : []),
  ];
}

function without(filter: SessionsFilter, part: keyof SessionsFilter): SessionsFilter {
  const { [part]: _, ...rest } = filter;
  return rest;
}
