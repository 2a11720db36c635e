import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import type { Log } from '../../common/log';
import { views } from '../../contributions';
import type { Connections } from '../connection';
import type { EmulatorHost } from '../emulator';
import { registerScheduleLanguage } from './deployments/registerScheduleLanguage';
import { registerDocumentFileSystem } from './documents/documentFileSystem';
import type { ResourcesNode } from './resourceNodes';
import type { ResourcesView } from './resourcesView';
import { registerSkills } from './skills';

export { registerDocumentFileSystem } from './documents/documentFileSystem';

const requests = { language: 'jsonl' };

export interface ResourcesDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
}

/** The Resources view, things of the service as documents, and everything one does with them. Loaded when it is first looked at. */
export function registerResources(deps: ResourcesDependencies): vscode.Disposable {
  const changed = new vscode.EventEmitter<ResourcesNode[] | undefined>();
  const language = () => import('./serviceFiles/fileIdLanguage');
  const dragging = () => import('./serviceFiles/fileDragAndDrop');
  const resources = new Lazy(async () => {
    const { createResourcesView } = await import('./resourcesView');
    const created = createResourcesView(deps, view);
    created.tree.onDidChangeTreeData(nodes => changed.fire(nodes));
    return created;
  });
  const view: vscode.TreeView<ResourcesNode> = vscode.window.createTreeView<ResourcesNode>(views.resources, {
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: {
      dragMimeTypes: ['text/plain'],
      dropMimeTypes: ['files', 'text/uri-list'],
      handleDrag: async (nodes, data) => (await dragging()).dragIds(nodes, data),
      handleDrop: async (_, data) => (await dragging()).dropFiles(data),
    },
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      // Whoever has a row has made what shows it.
      getTreeItem: async node => (await resources.get()).tree.getTreeItem(node),
      getChildren: async parent => (await resources.get()).tree.getChildren(parent),
      resolveTreeItem: async (item, node) => (await resources.get()).tree.resolveTreeItem(item, node),
    },
  });
  return combine(
    changed,
    view,
    vscode.languages.registerHoverProvider(requests, {
      provideHover: async (document, position) => (await language()).hoverOfFileId(() => resources.get(), document, position),
    }),
    vscode.languages.registerCodeActionsProvider(requests, {
      provideCodeActions: async (document, range) =>
        range instanceof vscode.Selection ? (await language()).actionsOfFileId(() => resources.get(), document, range) : [],
    }),
    registerScheduleLanguage(),
    registerDocumentFileSystem('managed-agents-resource', async () => (await resources.get()).files),
    registerDocumentFileSystem('managed-agents-memory', async () => (await resources.get()).flow.memories),
    deps.commands.registerLate(
      [
        'managedAgents.resources.refresh',
        'managedAgents.resources.loadMore',
        'managedAgents.resources.showArchived',
        'managedAgents.resources.hideArchived',
        'managedAgents.resource.open',
        'managedAgents.resource.showDetails',
        'managedAgents.resource.showJson',
        'managedAgents.resource.copyId',
        'managedAgents.resource.archive',
        'managedAgents.resource.delete',
        'managedAgents.resource.publish',
        'managedAgents.resource.compare',
        'managedAgents.resource.discardDraft',
        'managedAgents.environment.create',
        'managedAgents.environment.createFromFile',
        'managedAgents.deployment.create',
        'managedAgents.deployment.createFromFile',
        'managedAgents.deployment.pause',
        'managedAgents.deployment.unpause',
        'managedAgents.deployment.run',
        'managedAgents.deployment.clearMissed',
        'managedAgents.memoryStore.create',
        'managedAgents.memoryStore.createFromFile',
        'managedAgents.memoryStore.search',
        'managedAgents.memoryStore.copyToFolder',
        'managedAgents.memoryStore.writeFolder',
        'managedAgents.memory.create',
        'managedAgents.memory.open',
        'managedAgents.memory.rename',
        'managedAgents.memory.showVersions',
        'managedAgents.serviceFile.upload',
        'managedAgents.serviceFile.open',
        'managedAgents.serviceFile.download',
        'managedAgents.serviceFile.insertId',
        'managedAgents.work.stop',
        'managedAgents.work.forceStop',
      ],
      async () => (await import('./resourceCommands')).createResourceCommands(await resources.get(), deps.context.globalState),
    ),
    registerVaultsAndWebhooks(deps, () => resources.get()),
    registerSkills(deps, async () => (await resources.get()).flow),
    resources,
  );
}

/** Their commands, and the receiver of deliveries. */
function registerVaultsAndWebhooks({ commands, context }: ResourcesDependencies, view: () => Promise<ResourcesView>): vscode.Disposable {
  const desk = new Lazy(async () => new (await import('./webhooks/webhookDesk')).WebhookDesk(await view(), context));
  return combine(
    commands.registerLate(
      [
        'managedAgents.vault.create',
        'managedAgents.vault.createFromFile',
        'managedAgents.credential.add',
        'managedAgents.credential.rotate',
        'managedAgents.credential.edit',
        'managedAgents.credential.validate',
        'managedAgents.credential.mend',
      ],
      async () => (await import('./vaults/vaultCommands')).createVaultCommands((await view()).flow),
    ),
    commands.registerLate(
      [
        'managedAgents.webhook.create',
        'managedAgents.webhook.edit',
        'managedAgents.webhook.disable',
        'managedAgents.webhook.enable',
        'managedAgents.webhook.regenerateSecret',
        'managedAgents.webhook.verify',
        'managedAgents.webhook.startReceiver',
        'managedAgents.webhook.stopReceiver',
        'managedAgents.delivery.open',
        'managedAgents.delivery.resend',
      ],
      async () => (await desk.get()).commands,
    ),
    desk,
  );
}
