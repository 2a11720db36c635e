import * as vscode from 'vscode';
import type { Handlers } from '../../common/commands';
import { type SessionReference, views } from '../../contributions';
import { createFromFile, createResource } from './createResource';
import { compareDraft, discardDraft } from './draftActs';
import { createMemoryCommands } from './memories/memoryCommands';
import { publishResource } from './publishResource';
import { copyId, openResource, runAct, showJson, showPage } from './resourceActs';
import type { ResourcesView } from './resourcesView';

/** The title bar of a group hands over the group. */
function isSession(given: unknown): given is SessionReference {
  return typeof (given as Partial<SessionReference> | undefined)?.sessionId === 'string';
}

/** What the commands on things of the service do. */
export function createResourceCommands(view: ResourcesView, state: vscode.Memento) {
  const { flow } = view;
  const reading = () => import('./serviceFiles/readFile');
  const inView = (work: () => Promise<void>) => vscode.window.withProgress({ location: { viewId: views.resources } }, work);
  return {
    'managedAgents.resources.refresh': () => inView(() => view.refresh()),
    'managedAgents.resources.loadMore': group => inView(() => view.loadMore(group)),
    'managedAgents.resources.showArchived': () => inView(() => view.showArchived(true)),
    'managedAgents.resources.hideArchived': () => inView(() => view.showArchived(false)),
    'managedAgents.resource.open': target => openResource(flow, target),
    'managedAgents.resource.showDetails': target => showPage(flow, target),
    'managedAgents.resource.showJson': target => showJson(flow, target),
    'managedAgents.resource.copyId': target => copyId(flow, target),
    'managedAgents.resource.archive': target => runAct(flow, 'archive', target),
    'managedAgents.resource.delete': target => runAct(flow, 'delete', target),
    'managedAgents.resource.publish': target => publishResource(flow, target),
    'managedAgents.resource.compare': target => compareDraft(flow, target),
    'managedAgents.resource.discardDraft': target => discardDraft(flow, target),
    'managedAgents.environment.create': () => createResource(flow, 'environment'),
    'managedAgents.environment.createFromFile': file => createFromFile(flow, 'environment', file),
    'managedAgents.deployment.create': async session =>
      isSession(session)
        ? (await import('./deployments/makeDeployment')).makeDeployment(flow, session)
        : createResource(flow, 'deployment'),
    'managedAgents.deployment.createFromFile': file => createFromFile(flow, 'deployment', file),
    'managedAgents.deployment.pause': target => runAct(flow, 'pause', target),
    'managedAgents.deployment.unpause': target => runAct(flow, 'unpause', target),
    'managedAgents.deployment.run': async target => (await import('./deployments/runDeployment')).runDeployment(flow, target),
    'managedAgents.deployment.clearMissed': target => view.clearMissed(target),
    ...createMemoryCommands(flow),
    'managedAgents.serviceFile.upload': async (file, selected) =>
      (await import('./serviceFiles/uploadFiles')).uploadFiles(flow, state, file instanceof vscode.Uri ? (selected ?? [file]) : undefined),
    'managedAgents.serviceFile.open': async target => (await reading()).openServiceFile(flow, target),
    'managedAgents.serviceFile.download': async target => (await reading()).downloadServiceFile(flow, target),
    'managedAgents.serviceFile.insertId': async target => (await reading()).insertFileId(flow, target),
    'managedAgents.work.stop': target => runAct(flow, 'stop', target),
    'managedAgents.work.forceStop': target => runAct(flow, 'forceStop', target),
  } satisfies Partial<Handlers>;
}
