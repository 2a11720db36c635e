import * as vscode from 'vscode';
import type { AreaHandlers } from '../../common/commands';
import { views } from '../../contributions';
import { runAct } from './resourceActs';
import type { ResourcesView } from './resourcesView';

export type ResourceArea = 'resources' | 'deployment' | 'memoryStore' | 'memory' | 'serviceFile' | 'work' | 'credential';

/** Returns the handlers of commands that only some kinds of resources have. */
export function createResourceCommands(view: ResourcesView, state: vscode.Memento): AreaHandlers<ResourceArea> {
  const { flow } = view;
  const files = () => import('./serviceFiles/readFile');
  const credentials = () => import('./vaults/changeCredential');
  return {
    'managedAgents.resources.loadMore': group =>
      vscode.window.withProgress({ location: { viewId: views.resources } }, () => view.loadMore(group)),
    'managedAgents.deployment.create': async session =>
      session && (await import('./deployments/makeDeployment')).makeDeployment(flow, session),
    'managedAgents.deployment.pause': target => runAct(flow, 'pause', target),
    'managedAgents.deployment.unpause': target => runAct(flow, 'unpause', target),
    'managedAgents.deployment.run': async target => (await import('./deployments/runDeployment')).runDeployment(flow, target),
    'managedAgents.deployment.clearMissed': target => view.clearMissed(target),
    'managedAgents.memoryStore.search': async target => (await import('./memories/searchMemories')).searchMemories(flow, target),
    'managedAgents.memoryStore.syncFolder': async target => (await import('./memories/folders/syncFolder')).syncFolder(flow, target),
    'managedAgents.memory.showVersions': async target => (await import('./memories/showVersions')).showVersions(flow, target),
    'managedAgents.serviceFile.upload': async (file, selected) =>
      (await import('./serviceFiles/uploadFiles')).uploadFiles(flow, state, file instanceof vscode.Uri ? (selected ?? [file]) : undefined),
    'managedAgents.serviceFile.download': async target => (await files()).downloadServiceFile(flow, target),
    'managedAgents.serviceFile.insertId': async target => (await files()).insertFileId(flow, target),
    'managedAgents.work.stop': target => runAct(flow, 'stop', target),
    'managedAgents.credential.rotate': async target => (await credentials()).rotateCredential(flow, target),
    'managedAgents.credential.validate': async target => (await credentials()).validateCredential(flow, target),
    'managedAgents.credential.fix': async need => (await import('./vaults/fixCredential')).fixCredential(flow, need),
  };
}
