import * as vscode from 'vscode';
import { systemClock } from '../../common/clock';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import { Poller } from '../../common/lists/poller';
import { Throttle } from '../../common/lists/throttle';
import { hostOf, type PresentationContext } from '../../common/text/presentation';
import { isWindowUsed } from '../../common/windowUse';
import type { SessionReference } from '../../contributions';
import { numberFormat } from '../../shared/formats';
import { type Connection, mayUse, reach, whenPollable } from '../connection';
import type { ListedSession, PanelSession } from './facts/listedSession';
import { Needs } from './facts/needs';
import { DismissedQuestions } from './inbox/dismissedQuestions';
import type { Inbox } from './inbox/inbox';
import type { SearchState } from './inbox/inboxDesk';
import { idOfAsk } from './inbox/inboxEntries';
import { type FollowedSessions, WaitedSessions } from './list/followedSessions';
import { toSessionHover } from './list/sessionPresentation';
import { readSort, SessionListing, SessionStore } from './list/sessionStore';
import { describeCoverage, SessionsDrawing, type SessionsPicture } from './list/sessionsPicture';
import { createSessionsTree, DeploymentNames, type SessionsTree } from './list/sessionsTreeDataProvider';
import { SessionWatcher } from './list/sessionWatcher';
import { SessionNews } from './notifying/sessionNews';
import type { ApprovalRules } from './rules/approvalRules';
import type { AuditedDecision } from './rules/auditFile';
import type { SessionPanels } from './sessionPanels';
import type { SessionsDependencies } from './sessionsDependencies';

/** The Sessions view, created when it is first shown or when something needs polling. */
export type SessionsView = ReturnType<typeof createSessionsView>;

export function createSessionsView(
  deps: SessionsDependencies & { readonly rules: Lazy<ApprovalRules> },
  view: vscode.TreeView<unknown>,
  panels: SessionPanels,
  followed: FollowedSessions,
) {
  const { connections, emulator, log } = deps;
  const lifetime = new AbortController();
  const waited = new WaitedSessions(deps.context.workspaceState);
  const dismissed = new DismissedQuestions(deps.context.workspaceState, () => store.facts.outdate());
  const store: SessionStore = new SessionStore(
    systemClock,
    () => panels.upToDate,
    () => [...panels.opened, ...followed.all(), ...waited.all()],
    {
      ruleOf: reference => deps.rules.current?.decisions.lastIn(reference),
      isDismissed: (reference, eventId) => dismissed.has(idOfAsk(reference, eventId)),
    },
  );
  store.setSort(readSort(deps.context.workspaceState));
  const listing = new SessionListing(store);
  const isOpen = (reference: SessionReference) => panels.answering(reference) !== undefined;
  const onError = (error: unknown) => log.error('Could not update the sessions', error);
  const waiting = new Needs(store);
  const news = new SessionNews({ ...deps, store, followed, panels, presentation, onError });
  const names = new DeploymentNames(
    async (connection, id) => (await (await reach(connections, connection, 'look')).client.deployments.retrieve(id)).data.name,
    () => tree.refresh(),
  );
  const tree: SessionsTree = createSessionsTree(store, presentation, listed => hoverOf(deps, listed, presentation()), names);
  const isReachable = (connection: Connection) => !connection.isEmulator || emulator.running !== undefined;
  let asked = 0;
  const watcher = new SessionWatcher({
    ...{ connections, store, listing, followed, isReachable, isOpen },
    isTrusted: () => mayUse('change'),
    reach: async connection => (await reach(connections, connection, 'look')).client,
    // An unused window lists once and then stops polling.
    isWatched: () =>
      asked > 0 || ((view.visible || inbox.current?.isVisible === true) && (isWindowUsed() || store.list.state === 'loading')),
    isUsed: isWindowUsed,
    onPolled: (reference, listed) => news.polled(reference, listed),
    warn: message => log.warn(message),
    clock: systemClock,
  });
  const applyRules = () => {
    if (waiting.all().length > 0) {
      deps.rules
        .get()
        .then(rules => rules.considerAll())
        .catch(onError);
    }
  };
  const poller = new Poller(async signal => {
    const delay = await watcher.poll(signal).catch(onError);
    // Retries asks that the rules could not check.
    applyRules();
    // Redraws even without a change, because a session can become stuck as time passes.
    drawing.ask();
    return delay ?? undefined;
  });
  const refresh = async () => {
    asked++;
    watcher.forgetWait();
    await poller.trigger().finally(() => {
      asked--;
    });
  };
  const inbox: Lazy<Inbox> = new Lazy(async () => {
    const { Inbox } = await import('./inbox/inbox');
    return new Inbox({
      ...{ ...deps, panels, waiting, dismissed, poll },
      facts: store.facts,
      onGone: reference => {
        store.remove(reference);
        followed.forget(reference).then(undefined, onError);
      },
      search: () =>
        searchStateOf(store, mayUse('change') && connections.current !== undefined && isReachable(connections.current), presentation()),
      openSession: async (reference, eventId) => (await actions.get()).open(reference, eventId),
      onRead: requests => watcher.spend(requests),
    });
  });
  const actions = new Lazy(async () => {
    const { SessionActions } = await import('./sessionActions');
    const showInbox = async (ask?: Parameters<Inbox['show']>[0]) => (await inbox.get()).show(ask);
    const acts = { showInbox, refresh, presentation, lifetime: lifetime.signal };
    const { extensionUri: extension, workspaceState: memento } = deps.context;
    return new SessionActions({ connections, store, listing, followed, panels, log, extension, memento, ...acts });
  });
  const pictures = new SessionsDrawing(store, listing, presentation, {
    show: picture => show(view, picture),
    drawRows: () => tree.refresh(),
  });
  const drawing = new Throttle(() => {
    pictures.draw();
    waiting.check();
    news.noteProblems();
    for (const reference of panels.opened) {
      panels.setProblem(reference, store.find(reference)?.problem);
    }
    waited.note(store);
    if (watcher.isOutrun) {
      poll();
    }
  }, drawEvery);
  const poll = () => void poller.trigger();

  const subscriptions = combine(
    store.onDidChange(() => drawing.ask()),
    store.facts.onDidOutdate(reference => panels.refresh(reference)),
    waiting.onDidChange(applyRules),
    whenPollable(deps, view, { look: poll, startOver: connection => store.reset(connection) }),
    followed.onDidFollow(poll),
    ...[tree, actions, inbox, poller, drawing],
    { dispose: () => lifetime.abort() },
  );
  drawing.ask();
  return {
    tree,
    actions: () => actions.get(),
    inbox: () => inbox.get(),
    waiting,
    known: () => store.all(),
    panelChanged: (session: PanelSession) => news.take(session, isOpen(session)),
    decided: (decision: AuditedDecision) =>
      decision.outcome === 'stored' ? store.facts.answered(decision, decision.event) : store.facts.outdate(),
    dispose: () => subscriptions.dispose(),
  };
}

/** Minimum time between two renderings of the view, in milliseconds. */
const drawEvery = 250;

function presentation(): PresentationContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
}

/** Returns the state of the search for sessions that need the user. `isPolled` is true if the current connection is polled. */
function searchStateOf(store: SessionStore, isPolled: boolean, context: PresentationContext): SearchState {
  const { t } = vscode.l10n;
  const { coverage, list } = store;
  const count = store.all().length;
  const watched = count === 1 ? t('Watching 1 session') : t('Watching {0} sessions', numberFormat(context.locale).format(count));
  return {
    watched: mayUse('change') ? describeCoverage(store, context) || watched : t('Restricted Mode: only open sessions are watched.'),
    isFindingOut: isPolled && list.problem === undefined && coverage.isPart && coverage.reach !== 'bounded',
    ...(coverage.isPart && { newest: coverage.known }),
  };
}

/** Shows everything in the view except the rows. */
function show(view: vscode.TreeView<unknown>, { message, description, badge, state, isFiltered }: SessionsPicture): void {
  view.message = message;
  view.description = description;
  view.badge = badge;
  setContextKey('managedAgents.sessionsState', state);
  setContextKey('managedAgents.sessionsFiltered', isFiltered);
}

async function hoverOf({ connections }: SessionsDependencies, listed: ListedSession, context: PresentationContext): Promise<string> {
  const connection = connections.find(listed.connection);
  return toSessionHover(listed, { name: listed.connection, host: connection === undefined ? '' : hostOf(connection) }, context);
}
