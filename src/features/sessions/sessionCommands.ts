import * as vscode from 'vscode';
import type { AreaHandlers } from '../../common/commands';
import { type SessionReference, views } from '../../contributions';
import type { SessionActions } from './sessionActions';

/** Returns the handlers of the session commands. */
export function createSessionCommands(actions: SessionActions): AreaHandlers<'session' | 'sessions' | 'inbox'> {
  return {
    'managedAgents.sessions.loadMore': () => actions.loadMore(),
    'managedAgents.sessions.filter': filter => actions.filter(filter),
    'managedAgents.sessions.search': () => actions.search(),
    'managedAgents.sessions.ask': (_row, selected) => actions.ask(selected),
    'managedAgents.sessions.clearFilter': () => actions.clearFilter(),
    'managedAgents.session.create': agent => actions.create(agent),
    'managedAgents.session.runOnVersions': (agent, selected) => actions.runOnVersions(agent, selected),
    'managedAgents.session.startAgain': from => actions.startAgain(from),
    'managedAgents.session.open': (target, eventId, isClick) => actions.open(target, eventId, isClick),
    'managedAgents.session.send': target => actions.send(target),
    'managedAgents.session.interrupt': (target, selected) => actions.end('interrupt', target, selected),
    'managedAgents.session.resources': target => actions.resources(target),
    'managedAgents.session.changeBudget': target => actions.changeBudget(target),
    'managedAgents.session.copyLink': (target, eventId) => actions.copyLink(target, [], eventId),
    'managedAgents.session.export': (target, selected) => actions.export(target, selected),
    'managedAgents.session.makeDeployment': target => actions.makeDeployment(target),
    'managedAgents.session.makeTest': target => actions.makeTest(target),
    'managedAgents.session.openExport': file => actions.openExport(file),
    'managedAgents.session.nextWaiting': () => actions.nextWaiting(),
    'managedAgents.inbox.open': (target, eventId) => actions.openInbox(target, eventId),
  };
}

type Target = SessionReference | string;

/** Returns the handlers for sessions of the commands that all kinds share. */
export function createSessionKindHandlers(actions: SessionActions) {
  return {
    showJson: (target?: Target) => actions.showJson(target),
    copyId: (target?: Target, selected?: readonly SessionReference[]) => actions.copyId(target, selected),
    copyLink: (target?: Target, selected?: readonly SessionReference[]) => actions.copyLink(target, selected),
    rename: (target?: Target) => actions.rename(target),
    edit: (target?: Target) => actions.edit(target),
    compare: (target?: Target, selected?: readonly SessionReference[]) => actions.compare(target, selected),
    archive: (target?: Target, selected?: readonly SessionReference[]) => actions.end('archive', target, selected),
    delete: (target?: Target, selected?: readonly SessionReference[]) => actions.end('delete', target, selected),
    refresh: () => vscode.window.withProgress({ location: { viewId: views.sessions } }, () => actions.refresh()),
  };
}
