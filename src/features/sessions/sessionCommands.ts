import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { views } from '../../contributions';
import type { SessionActions } from './sessionActions';

/** The commands on sessions; `load` gives what does them. */
export function registerSessionCommands(commands: CommandRegistry, load: () => Promise<SessionActions>): vscode.Disposable {
  return combine(
    commands.register('managedAgents.sessions.refresh', () =>
      vscode.window.withProgress({ location: { viewId: views.sessions } }, async () => (await load()).refresh()),
    ),
    commands.register('managedAgents.sessions.loadMore', async () => (await load()).loadMore()),
    commands.register('managedAgents.sessions.filter', async filter => (await load()).filter(filter)),
    commands.register('managedAgents.sessions.clearFilter', async () => (await load()).clearFilter()),
    commands.register('managedAgents.session.create', async agent => (await load()).create(agent)),
    commands.register('managedAgents.session.open', async (target, eventId) => (await load()).open(target, eventId)),
    commands.register('managedAgents.session.send', async target => (await load()).send(target)),
    commands.register('managedAgents.session.interrupt', async target => (await load()).interrupt(target)),
    commands.register('managedAgents.session.rename', async target => (await load()).rename(target)),
    commands.register('managedAgents.session.archive', async target => (await load()).archive(target)),
    commands.register('managedAgents.session.delete', async target => (await load()).delete(target)),
    commands.register('managedAgents.session.copyId', async target => (await load()).copyId(target)),
    commands.register('managedAgents.session.showJson', async target => (await load()).showJson(target)),
    commands.register('managedAgents.session.export', async target => (await load()).export(target)),
    commands.register('managedAgents.session.openExport', async file => (await load()).openExport(file)),
    commands.register('managedAgents.session.nextWaiting', async () => (await load()).nextWaiting()),
  );
}
