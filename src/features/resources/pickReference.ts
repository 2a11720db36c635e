import * as vscode from 'vscode';
import { askChoice } from '../../common/asking/askSteps';
import { pickListed, toChoice } from '../../common/asking/pickListed';
import { CancelledError } from '../../common/cancellation';
import type { Reference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { waysTo } from './kinds';
import type { ResourceList } from './lists/resourceList';
import type { ResourceFlow } from './resourceFlow';
import type { Resource, ResourceKind } from './resourceKind';

type PickerFlow = Pick<ResourceFlow, 'service' | 'store' | 'presentation'>;

/**
 * Asks the user to choose a resource of the `fitting` kinds that supports `ability`. The user can load further pages or enter an ID. For a
 * nested kind, asks for the parent first. Throws a `CancelledError` if the user cancels.
 */
export async function pickReference(
  flow: PickerFlow,
  connection: string,
  fitting: readonly ResourceKind[],
  ability: string,
): Promise<Reference> {
  const kind = await pickKind(flow, connection, fitting);
  const levels = waysTo.get(kind.kind) ?? [kind];
  let parent: Reference | undefined;
  for (const level of levels) {
    const isLast = level === levels.at(-1);
    const below = levels[levels.indexOf(level) + 1];
    const isFolder = (value: Resource) => level.isFolder?.(value) === true;
    const fits = (value: Resource) =>
      isLast
        ? isFolder(value) || level.row(value, flow.presentation()).abilities.split(' ').includes(ability)
        : (level.children?.(value) ?? []).some(({ kind: name }) => name === below?.kind);
    let chosen: Resource | undefined;
    do {
      const list = flow.store.listOf(connection, level, parent);
      const id = await pickOne(flow, list, fits, ability === 'resource');
      chosen = list.list.find(id);
      parent = { connection, kind: level.kind, id, ...(parent === undefined ? {} : { parent }) };
    } while (chosen !== undefined && isFolder(chosen));
  }
  if (parent === undefined) {
    throw new CancelledError();
  }
  return parent;
}

async function pickKind({ presentation }: PickerFlow, connection: string, fitting: readonly ResourceKind[]): Promise<ResourceKind> {
  const [only, ...others] = fitting;
  if (only === undefined) {
    throw new CancelledError();
  }
  if (others.length === 0) {
    return only;
  }
  const choices = fitting.map(kind => ({ label: `$(${kind.icon}) ${kind.title(presentation().translate)}`, value: kind }));
  return await askChoice({
    title: `${vscode.l10n.t('Resources')} · ${toLabel(connection, 60)}`,
    placeholder: vscode.l10n.t('Select a type'),
    choices,
  });
}

function pickOne(flow: PickerFlow, members: ResourceList, fits: (value: Resource) => boolean, mayBeUnlisted: boolean): Promise<string> {
  const { kind, list, connection } = members;
  return pickListed<string>({
    title: kind.title(flow.presentation().translate),
    list,
    none: () => (list.items.length === 0 ? vscode.l10n.t('None yet') : vscode.l10n.t('No matches')),
    choices: () => list.items.filter(fits).map(value => toChoice(kind.row(value, flow.presentation()), value.id, value.id)),
    read: async () => members.readOn((await flow.service.reach(connection, 'read')).client),
    mayBeUnlisted,
    byId: id => id,
  });
}
