import * as vscode from 'vscode';
import { askChoice } from '../../../../common/asking/askSteps';
import type { ResourceFlow } from '../../resourceFlow';
import { type MemoryTarget, storeOf } from '../memoryTarget';

/** Copies a store, or a folder in it, to a local folder, or writes a local folder to it. The user chooses the direction. */
export async function syncFolder(flow: ResourceFlow, target: MemoryTarget): Promise<void> {
  const { t } = vscode.l10n;
  const store = await storeOf(flow, target);
  const direction = await askChoice<'copy' | 'write'>({
    title: t('Sync {0} with a Folder', store.label),
    placeholder: t('Select a direction'),
    choices: [
      { label: `$(cloud-download) ${t('Copy Store to Folder...')}`, value: 'copy' },
      { label: `$(cloud-upload) ${t('Write Folder to Store...')}`, value: 'write' },
    ],
  });
  await (direction === 'copy'
    ? (await import('./copyToFolder')).copyToFolder(flow, store)
    : (await import('./writeFolder')).writeFolder(flow, store));
}
