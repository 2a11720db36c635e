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
    'managedAgents.sessions.search': () => actions.search(),
    'managedAgents.sessions.clearFilter': () => actions.clearFilter(),
    'managedAgents.session.create': agent => actions.create(agent),
    'managedAgents.session.runOnVersions': (agent, selected) => actions.runOnVersions(agent, selected),
    'managedAgents.session.startAgain': from => actions.startAgain(from),
    'managedAgents.session.open': (target, eventId) => actions.open(target, eventId),
    'managedAgents.session.send': target => actions.send(target),
    'managedAgents.session.interrupt': (target, selected) => actions.interrupt(target, selected),
    'managedAgents.session.rename': target => actions.rename(target),
    'managedAgents.session.resources': target => actions.resources(target),
    'managedAgents.session.changeBudget': target => actions.changeBudget(target),
    'managedAgents.session.archive': (target, selected) => actions.archive(target, selected),
    'managedAgents.session.delete': (target, selected) => actions.delete(target, selected),
    'managedAgents.session.copyId': target => actions.copyId(target),
    'managedAgents.session.copyLink': (target, eventId) => actions.copyLink(target, eventId),
    'managedAgents.session.showJson': target => actions.showJson(target),
    'managedAgents.session.export': (target, selected) => actions.export(target, selected),
    'managedAgents.session.compare': (target, selected) => actions.compare(target, selected),
    'managedAgents.session.makeDeployment': target => actions.makeDeployment(target),
    'managedAgents.session.makeTest': target => actions.makeTest(target),
    'managedAgents.session.openExport': file => actions.openExport(file),
    'managedAgents.session.nextWaiting': () => actions.nextWaiting(),
    'managedAgents.inbox.open': (target, eventId) => actions.openInbox(target, eventId),
  } satisfies Partial<Handlers>;
}
