import * as vscode from 'vscode';
import type { Memory, MemoryVersion } from '../../../client/schemas/memoryStores';
import type { ServiceClient } from '../../../client/serviceClient';
import type { Choice } from '../../../common/asking/askSteps';
import { pickListed } from '../../../common/asking/pickListed';
import { PagedList } from '../../../common/lists/pagedList';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { ResourceFlow } from '../resourceFlow';
import { presentVersion } from './versionPresentation';

const pageSize = 50;

/** Memory whose versions are shown, or the whole store, with deleted memories. */
export interface VersionScope {
  readonly connection: string;
  readonly storeId: string;
  readonly memory?: Memory;
  readonly title: string;
}

/** Asks the user to choose a version other than `except`. Loads further pages on request. Throws a `CancelledError` if the user cancels. */
export function pickVersion(
  flow: ResourceFlow,
  client: ServiceClient,
  { storeId, memory, title }: VersionScope,
  placeholder: string,
  except?: string,
): Promise<MemoryVersion> {
  const list = new PagedList<MemoryVersion>();
  list.reset(storeId);
  return pickListed<MemoryVersion>({
    title: vscode.l10n.t('Versions of {0}', title),
    placeholder,
    none: () => (except === undefined ? vscode.l10n.t('None') : vscode.l10n.t('No other versions')),
    list,
    choices: () => list.items.filter(({ id }) => id !== except).map(version => choiceOf(flow, version, memory)),
    read: () =>
      list.readOn(cursor =>
        client.memoryStores.versions(storeId).list({
          limit: pageSize,
          ...(cursor !== undefined && { cursor }),
          ...(memory && { memoryId: memory.id }),
        }),
      ),
  });
}

function choiceOf(flow: ResourceFlow, version: MemoryVersion, memory: Memory | undefined): Choice<MemoryVersion> {
  const row = presentVersion(version, memory?.memory_version_id ?? undefined, memory === undefined, flow.presentation());
  return {
    label: `$(${row.icon}) ${withoutIcons(row.label)}`,
    description: withoutIcons(row.description),
    detail: withoutIcons(row.detail),
    value: version,
  };
}
