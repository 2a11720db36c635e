import * as vscode from 'vscode';
import type { Memory, MemoryVersion } from '../../../client/schemas/memoryStores';
import type { ServiceClient } from '../../../client/serviceClient';
import { PageGuard } from '../../../client/transport/pagination';
import { CancelledError } from '../../../common/cancellation';
import { describeError } from '../../../common/text/describeError';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';
import type { ResourceFlow } from '../resourceFlow';
import { presentVersion } from './versionPresentation';

const pageSize = 50;

/** Whose versions are shown: of one memory, or of all that a store holds or held. */
export interface VersionScope {
  readonly connection: string;
  readonly storeId: string;
  readonly memory?: Memory;
  readonly title: string;
}

type Item = vscode.QuickPickItem & { readonly version?: MemoryVersion; readonly isMore?: boolean };

/** Lets the user choose a version, page by page as they are asked for; `except` is left out. Throws a `CancelledError` without a choice. */
export async function pickVersion(
  flow: ResourceFlow,
  client: ServiceClient,
  { storeId, memory, title }: VersionScope,
  placeholder: string,
  except?: string,
): Promise<MemoryVersion> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = vscode.l10n.t('Versions of {0}', title);
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  const guard = new PageGuard<MemoryVersion>();
  const versions: MemoryVersion[] = [];
  let cursor: string | undefined;
  let problem: unknown;
  const draw = () => {
    const { activeItems } = pick;
    const rows = versions.filter(({ id }) => id !== except).map(version => toItem(flow, version, memory));
    pick.items = [...rows, ...moreOf(cursor !== undefined, problem)];
    const kept = pick.items.filter(({ version }) => version !== undefined && activeItems.some(active => active.version === version));
    pick.activeItems = kept.length > 0 ? kept : pick.items.slice(0, 1);
  };
  const read = async () => {
    pick.busy = true;
    try {
      const place = cursor === undefined ? {} : { cursor };
      const page = await client.memoryStores.versions(storeId).list({ limit: pageSize, ...place, ...(memory && { memoryId: memory.id }) });
      const { items, nextCursor, cut } = guard.accept(page);
      versions.push(...items);
      cursor = nextCursor;
      problem = cut;
    } catch (error) {
      problem = error;
    } finally {
      pick.busy = false;
      draw();
    }
  };
  const listeners: vscode.Disposable[] = [];
  try {
    return await new Promise<MemoryVersion>((resolve, reject) => {
      listeners.push(
        pick.onDidHide(() => reject(new CancelledError())),
        pick.onDidAccept(() => {
          const [item] = pick.selectedItems;
          if (item?.version !== undefined) {
            resolve(item.version);
          } else if (item?.isMore === true) {
            void read();
          }
        }),
      );
      pick.show();
      void read();
    });
  } finally {
    vscode.Disposable.from(...listeners, pick).dispose();
  }
}

function toItem(flow: ResourceFlow, version: MemoryVersion, memory: Memory | undefined): Item {
  const row = presentVersion(version, memory?.memory_version_id ?? undefined, memory === undefined, flow.presentation());
  return {
    label: `$(${row.icon}) ${withoutIcons(row.label)}`,
    description: withoutIcons(row.description),
    detail: withoutIcons(row.detail),
    version,
  };
}

function moreOf(hasMore: boolean, problem: unknown): readonly Item[] {
  if (problem !== undefined) {
    const detail = withoutIcons(toLabel(describeError(problem), 200));
    return [{ label: `$(warning) ${vscode.l10n.t('Could not load more. Try again')}`, detail, isMore: true, alwaysShow: true }];
  }
  return hasMore ? [{ label: `$(ellipsis) ${vscode.l10n.t('Load More')}`, isMore: true, alwaysShow: true }] : [];
}
