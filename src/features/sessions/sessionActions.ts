import * as vscode from 'vscode';
import { askChoice } from '../../common/asking/askSteps';
import { askFiles } from '../../common/asking/newFile';
import { showInformation } from '../../common/asking/notifications';
import { UntrustedError } from '../../common/asking/untrusted';
import { type AreaHandlers, runCommand } from '../../common/commands';
import { copyIds } from '../../common/copyIds';
import { ReadonlyDocuments } from '../../common/documents/readonlyDocuments';
import { Lazy } from '../../common/lazy';
import { describeTrust } from '../../common/text/describeTrust';
import { withoutIcons } from '../../common/text/withoutIcons';
import { type AgentReference, type SessionReference, type SessionsFilter, views } from '../../contributions';
import { toMaskedJson } from '../../shared/maskedJson';
import { mayUse, reach } from '../connection';
import { loadLinkCopying } from '../links';
import { agentOfDocument } from '../resources';
import { manageResources } from './attaching/manageResources';
import { changeBudget, renameSession } from './changeSession';
import { chooseSession, type SessionTarget } from './chooseSession';
import { type EndAct, endSession } from './endSession';
import { referenceOf } from './facts/listedSession';
import { askFilter } from './list/askFilter';
import { loadMoreSessions } from './list/loadMoreSessions';
import { abilitiesOf, describeAsk } from './list/sessionPresentation';
import { describeSession, type SessionActionContext } from './sessionActionContext';
import { SessionStarter } from './starting/sessionStarter';

const endAbilities: Readonly<Record<EndAct, string>> = { interrupt: 'interruptible', archive: 'archivable', delete: 'deletable' };

type KindHandler = (target?: SessionTarget, selected?: readonly SessionReference[]) => unknown;

/** Actions on sessions. Each action asks for the session if no session is given. */
export class SessionActions implements vscode.Disposable {
  private readonly starter: SessionStarter;
  /** ID of the ask that was last shown by `nextWaiting`. */
  private lastEventId: string | undefined;
  private readonly comparer = new Lazy(async () => new (await import('./comparing/sessionComparer')).SessionComparer(this.deps));
  private readonly documents = new ReadonlyDocuments('managed-agents-session-json');

  constructor(private readonly deps: SessionActionContext) {
    this.starter = new SessionStarter(deps);
  }

  commands(): AreaHandlers<'session' | 'sessions' | 'inbox'> {
    const { deps } = this;
    return {
      'managedAgents.sessions.loadMore': () => loadMoreSessions(deps),
      'managedAgents.sessions.filter': async filter => this.filter(filter ?? (await askFilter(deps))),
      'managedAgents.sessions.search': async () => (await import('./searching/searchSessions')).searchSessions(deps),
      'managedAgents.sessions.ask': async (_row, selected) =>
        (await import('./asking/askSessions')).askSessions(deps, this.chosenOf(undefined, selected, 'session')),
      'managedAgents.sessions.clearFilter': () => this.filter({}),
      'managedAgents.session.create': agent => this.create(agent),
      'managedAgents.session.runOnVersions': (agent, selected) => this.runOnVersions(agent, selected),
      'managedAgents.session.startAgain': async from => {
        if (typeof from?.eventId !== 'string') {
          throw new Error(vscode.l10n.t('Use "Start Again From Here" on a row of the session panel.'));
        }
        await (await import('./starting/presetStarts')).startAgain(deps, from);
      },
      'managedAgents.session.open': (target, eventId, isClick) => this.open(target, eventId, isClick),
      'managedAgents.session.send': async target => {
        const reference = await chooseSession(deps, target, 'sendable');
        await reach(deps.connections, reference.connection, 'change');
        await deps.panels.open(reference, { focus: 'composer' });
        await deps.followed.follow(reference, Date.now());
      },
      'managedAgents.session.interrupt': (target, selected) => this.end('interrupt', target, selected),
      'managedAgents.session.resources': async target => manageResources(deps, await chooseSession(deps, target)),
      'managedAgents.session.changeBudget': target => this.change(target, 'session', changeBudget),
      'managedAgents.session.copyLink': (target, eventId) => this.copyLink(target, [], eventId),
      'managedAgents.session.export': async (target, selected) => {
        const chosen = this.chosenOf(target, selected, 'session');
        await (chosen.length > 1
          ? (await import('./bulk/bulkSessions')).exportSessions(deps, chosen)
          : deps.panels.exportSession(await chooseSession(deps, chosen[0])));
      },
      'managedAgents.session.makeDeployment': async target =>
        runCommand('managedAgents.deployment.create', await chooseSession(deps, target)),
      'managedAgents.session.makeTest': async target =>
        (await import('./testing/makeTest')).makeTest(deps, await chooseSession(deps, target)),
      'managedAgents.session.openExport': async file => {
        await deps.panels.openFile(file instanceof vscode.Uri ? file : await askForExport());
      },
      'managedAgents.session.nextWaiting': () => this.nextWaiting(),
      'managedAgents.inbox.open': (target, eventId) => {
        // A button in a view's title bar may pass a selected row that is not an ask.
        const isAsk = typeof target?.sessionId === 'string' && typeof eventId === 'string';
        return deps.showInbox(isAsk ? { reference: { connection: target.connection, sessionId: target.sessionId }, eventId } : undefined);
      },
    };
  }

  /** Returns the session handlers of the commands that all resource kinds share. */
  kindHandlers(): Readonly<
    Record<'showJson' | 'copyId' | 'copyLink' | 'rename' | 'edit' | 'compare' | 'archive' | 'delete' | 'refresh', KindHandler>
  > {
    return {
      showJson: target => this.showJson(target),
      copyId: async (target, selected) => copyIds((await this.sessionsOf(target, selected)).map(({ sessionId }) => sessionId)),
      copyLink: (target, selected) => this.copyLink(target, selected),
      rename: target => this.change(target, 'renamable', renameSession),
      edit: target => this.edit(target),
      compare: async (target, selected) => (await this.comparer.get()).compareChosen(this.chosenOf(target, selected, 'session')),
      archive: (target, selected) => this.end('archive', target, selected),
      delete: (target, selected) => this.end('delete', target, selected),
      refresh: () => vscode.window.withProgress({ location: { viewId: views.sessions } }, () => this.refresh()),
    };
  }

  async restoreStart(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.starter.restore(panel, state);
  }

  async restoreComparison(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await (await this.comparer.get()).restore(panel, state);
  }

  /** Follows the session and shows its panel, at an event if an event is given. A click in the list reuses the preview panel. */
  async open(target?: SessionReference, eventId?: string, isClick?: boolean): Promise<void> {
    const { deps } = this;
    const reference = await chooseSession(deps, target, 'session', false);
    // The session is followed only once the panel is visible, so that no notification repeats its asks.
    await deps.panels.open(reference, {
      focus: 'ask',
      ...(typeof eventId === 'string' && { eventId }),
      ...(isClick === true && { preview: 'click' }),
    });
    await deps.followed.follow(reference, Date.now());
    const asks = deps.store.find(reference)?.asks ?? [];
    // The panel shows the open asks, so no notification repeats them.
    await deps.followed.noteNews(
      reference,
      asks.map(ask => ask.eventId),
    );
  }

  dispose(): void {
    this.documents.dispose();
    this.comparer.dispose();
  }

  /** Opens the panel of a new session. `of` is an agent, or its document. */
  private async create(of?: AgentReference | vscode.Uri): Promise<void> {
    if (!(of instanceof vscode.Uri)) {
      // A button in a view's title bar may pass a selected row that is not an agent.
      await this.starter.start(typeof of?.agentId === 'string' ? toAgentReference(of) : undefined);
      return;
    }
    const agent = await agentOfDocument(of);
    if (agent === undefined) {
      throw new Error(vscode.l10n.t("This draft isn't on the service yet. Publish it first."));
    }
    await this.starter.start(agent);
  }

  /** Steps through the open asks of all sessions, latest first. */
  private async nextWaiting(): Promise<void> {
    const { deps } = this;
    await deps.refresh();
    const asks = deps.store
      .waiting()
      .flatMap(listed => listed.asks.map(ask => ({ reference: referenceOf(listed), ask })))
      .sort((a, b) => (b.ask.at ?? 0) - (a.ask.at ?? 0));
    const index = asks.findIndex(({ ask }) => ask.eventId === this.lastEventId);
    const next = asks[(index + 1) % asks.length];
    if (next === undefined) {
      void showInformation(vscode.l10n.t('Nothing needs you.'));
      return;
    }
    this.lastEventId = next.ask.eventId;
    await deps.panels.open(next.reference, { eventId: next.ask.eventId, focus: 'ask', preview: 'step' });
    if (asks.length > 1) {
      const position = asks.indexOf(next) + 1;
      const words = withoutIcons(describeAsk(next.ask, deps.presentation()));
      vscode.window.setStatusBarMessage(vscode.l10n.t('{0} of {1} waiting: {2}', position, asks.length, words), 5000);
    }
  }

  private async runOnVersions(of?: AgentReference | vscode.Uri, selected: readonly AgentReference[] = []): Promise<void> {
    const agent = of instanceof vscode.Uri ? await agentOfDocument(of) : of;
    if (typeof agent?.agentId !== 'string') {
      throw new Error(vscode.l10n.t('Select an agent'));
    }
    await (await import('./starting/presetStarts')).runOnVersions(this.deps, toAgentReference(agent), selected, async both =>
      (await this.comparer.get()).compare(both),
    );
  }

  private async end(act: EndAct, target?: SessionTarget, selected?: readonly SessionReference[]): Promise<void> {
    const ability = endAbilities[act];
    const chosen = this.chosenOf(target, selected, ability);
    if (chosen.length > 1) {
      return (await import('./bulk/bulkSessions')).changeSessions(this.deps, chosen, act);
    }
    await this.change(chosen[0], ability, (deps, reference) => endSession(deps, reference, act));
  }

  private async edit(target?: SessionTarget): Promise<void> {
    const reference = await chooseSession(this.deps, target);
    const what = await askChoice<'budget' | 'resources'>({
      title: vscode.l10n.t('Edit {0}', describeSession(this.deps, reference)),
      placeholder: vscode.l10n.t('Select what to edit'),
      choices: [
        { label: `$(credit-card) ${vscode.l10n.t('Budget')}`, value: 'budget' },
        { label: `$(files) ${vscode.l10n.t('Resources')}`, value: 'resources' },
      ],
    });
    await (what === 'budget' ? this.change(reference, 'session', changeBudget) : manageResources(this.deps, reference));
  }

  /** Changes a session, and refreshes its panel. */
  private async change(
    target: SessionTarget | undefined,
    ability: string,
    act: (deps: SessionActionContext, reference: SessionReference) => Promise<void>,
  ): Promise<void> {
    const reference = await chooseSession(this.deps, target, ability);
    await act(this.deps, reference);
    this.deps.panels.refresh(reference);
  }

  private async copyLink(target?: SessionTarget, selected?: readonly SessionReference[], eventId?: string): Promise<void> {
    const sessions = await this.sessionsOf(target, selected);
    const links = sessions.map(({ sessionId: id }) => ({ kind: 'session', id, ...(eventId !== undefined && { event: eventId }) }) as const);
    await (await loadLinkCopying()).copyLinks(this.deps.connections, sessions[0]?.connection ?? '', links);
  }

  private async showJson(target?: SessionTarget): Promise<void> {
    const reference = await chooseSession(this.deps, target);
    const { client } = await reach(this.deps.connections, reference.connection, 'read');
    const { data } = await client.sessions.retrieve(reference.sessionId);
    const uri = this.documents.create(`${reference.sessionId}.json`, toMaskedJson(data));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  private async filter(filter: SessionsFilter): Promise<void> {
    this.deps.store.setFilter(filter);
    await this.deps.refresh();
  }

  private async refresh(): Promise<void> {
    if (!mayUse('change')) {
      throw new UntrustedError(vscode.l10n.t("Couldn't read the sessions. {0}", describeTrust(vscode.l10n.t)));
    }
    await this.deps.refresh();
  }

  /** Returns the sessions of the selected rows if there are several, otherwise the session for `target`. */
  private async sessionsOf(
    target: SessionTarget | undefined,
    selected: readonly SessionReference[] | undefined,
  ): Promise<readonly SessionReference[]> {
    const chosen = this.chosenOf(target, selected, 'session');
    return chosen.length > 1 ? chosen : [await chooseSession(this.deps, target)];
  }

  /** Returns the selected sessions with `ability`. If there are no such sessions, returns `target` if `target` is a session. */
  private chosenOf(
    target: SessionTarget | undefined,
    selected: readonly SessionReference[] | undefined,
    ability: string,
  ): readonly SessionReference[] {
    const { store } = this.deps;
    const rows = (Array.isArray(selected) ? selected : []).filter((row: SessionReference) => typeof row?.sessionId === 'string');
    const able = rows
      .map(({ connection, sessionId }): SessionReference => ({ connection, sessionId }))
      .filter(reference => {
        const listed = store.find(reference);
        return listed !== undefined && abilitiesOf(listed).split(' ').includes(ability);
      });
    return able.length > 0 ? able : typeof target === 'object' ? [target] : [];
  }
}

/** Drops the other properties of a tree row. */
function toAgentReference({ connection, agentId, version }: AgentReference): AgentReference {
  return version === undefined ? { connection, agentId } : { connection, agentId, version };
}

async function askForExport(): Promise<vscode.Uri> {
  const { t } = vscode.l10n;
  const [file] = await askFiles({ title: t('Open Exported Session'), filters: { [t('Exported sessions')]: ['jsonl'] } });
  return file;
}
