import * as vscode from 'vscode';
import type { Handlers } from '../../common/commands';
import { views } from '../../contributions';
import type { SessionActions } from './sessionActions';

/** What the commands on sessions do. */
export function createSessionCommands(actions: SessionActions) {
  return {
    'managedAgents.sessions.refresh': () =>
      vscode.window.withProgress({ location: { viewId: views.sessions } }, async () => actions.refresh()),
    'managedAgents.sessions.loadMore': () => actions.loadMore(),
    'managedAgents.sessions.filter': filter => actions.filter(filter),
    'managedAgents.sessions.clearFilter': () => actions.clearFilter(),
    'managedAgents.session.create': agent => actions.create(agent),
    'managedAgents.session.runOnVersions': (agent, selected) => actions.runOnVersions(agent, selected),
    'managedAgents.session.startAgain': from => actions.startAgain(from),
    'managedAgents.session.open': (target, eventId) => actions.open(target, eventId),
    'managedAgents.session.send': target => actions.send(target),
    'managedAgents.session.interrupt': target => actions.interrupt(target),
    'managedAgents.session.rename': target => actions.rename(target),
    'managedAgents.session.resources': target => actions.resources(target),
    'managedAgents.session.changeBudget': target => actions.changeBudget(target),
    'managedAgents.session.archive': target => actions.archive(target),
    'managedAgents.session.delete': target => actions.delete(target),
    'managedAgents.session.copyId': target => actions.copyId(target),
    'managedAgents.session.showJson': target => actions.showJson(target),
    'managedAgents.session.export': target => actions.export(target),
    'managedAgents.session.makeDeployment': target => actions.makeDeployment(target),
    'managedAgents.session.openExport': file => actions.openExport(file),
    'managedAgents.session.nextWaiting': () => actions.nextWaiting(),
  } satisfies Partial<Handlers>;
}
