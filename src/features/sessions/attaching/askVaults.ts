import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';
import { type AttachableCalls, type Attached, waysToAttach } from './attachableGroup';
import { editList } from './editList';

/** Maximum number of vaults, so that the list stays readable. The service has no documented limit. */
const maxVaults = 50;

/** Asks the user to choose vaults whose credentials the session may use. */
export async function askVaults(
  title: string,
  calls: AttachableCalls,
  signal: AbortSignal,
  before: readonly Attached[],
): Promise<readonly Attached[]> {
  const { t } = vscode.l10n;
  const ways = await waysToAttach(calls, signal, {
    title,
    icon: 'lock',
    pick: `$(add) ${t('Add Vaults...')}`,
    question: t('Select vaults'),
    id: t('ID of the vault'),
  });
  return await editList<Attached>(
    {
      title,
      placeholder: t('Vaults'),
      most: maxVaults,
      row: vault => ({
        label: `$(lock) ${withoutIcons(toLabel(vault.name, 80))}`,
        description: vault.name === vault.id ? '' : withoutIcons(toLabel(vault.id, 60)),
      }),
      ways,
      change: async vault => {
        await askChoice<'remove'>({
          title,
          placeholder: toLabel(vault.name, 80),
          choices: [{ label: `$(close) ${t('Remove from List')}`, value: 'remove' }],
        });
        return undefined;
      },
    },
    before,
  );
}
