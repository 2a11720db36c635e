import * as vscode from 'vscode';
import { systemClock } from '../../../common/clock';
import { setContextKey } from '../../../common/contextKeys';
import { combine } from '../../../common/disposables';
import { Gathered } from '../../../common/lists/gathered';
import { Poller } from '../../../common/lists/poller';
import { readSetting } from '../../../common/settings';
import { describeError } from '../../../common/text/describeError';
import { hostOf, type PresentationContext } from '../../../common/text/presentation';
import { isWindowUsed } from '../../../common/windowUse';
import type { SessionReference } from '../../../contributions';
import { mayUse, reach } from '../../connection';
import { whenLookedAt } from '../../resources/lists';
import { AskTeller } from '../asks/askTeller';
import type { SessionsDependencies } from '../index';
import type { SessionActions } from '../sessionActions';
import type { SeenSession, SessionPanels } from '../sessionPanels';
import type { FollowedSessions } from './followedSessions';
import type { ListedSession } from './listedSession';
import { asksOfView } from './listedSession';
import { describeFilter, isFiltering } from './sessionFilter';
import { SessionListing } from './sessionListing';
import { nameOf, presentBadge, presentSession } from './sessionPresentation';
import { lookKey, SessionStore } from './sessionStore';
import { SessionsTreeDataProvider, type SessionsTreeItem } from './sessionsTreeDataProvider';
import { SessionWatcher } from './sessionWatcher';

/** The parts of the Sessions view, made when it is first looked at or something has to be looked after. */
export interface SessionsView extends vscode.Disposable {
  readonly tree: SessionsTreeDataProvider;
  /** What one does with sessions, loaded when first asked for. */
  actions(): Promise<SessionActions>;
  /** Takes in what an open panel knows. */
  see(seen: SeenSession): void;
}

export function createSessionsView(
  deps: SessionsDependencies,
  view: vscode.TreeView<SessionsTreeItem>,
  panels: SessionPanels,
  followed: FollowedSessions,
  /** Is told what waits in a session that is followed. */
  consider: (reference: SessionReference, events: readonly string[]) => void,
): SessionsView {
  const { connections, emulator, log } = deps;
  const lifetime = new AbortController();
  const store = new SessionStore(systemClock, () => panels.seen);
  const listing = new SessionListing(store);
  const presentation = (): PresentationContext => ({ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() });
  const isSame = (a: SessionReference | undefined, b: SessionReference) => a?.connection === b.connection && a.sessionId === b.sessionId;
  const isOpen = (reference: SessionReference) => panels.seen.some(seen => isSame(seen, reference));
  const teller = new AskTeller({
    followed,
    isWanted: () => readSetting('managedAgents.sessions.notify'),
    isLookedAt: reference => isWindowUsed() && isSame(panels.active, reference),
    tell: (reference, name, asks) =>
      import('../asks/notifyAsks')
        .then(({ notifyAsks }) => notifyAsks(reference, name, asks, presentation()))
        .catch(error => log.error('A message could not be shown', error)),
  });
  const onError = (error: unknown) => log.error('Sessions could not be looked after', error);
  const tree = new SessionsTreeDataProvider(store, presentation, listed => hoverOf(deps, listed, presentation()));
  const isTrusted = () => mayUse('change');
  let asked = 0;
  const watcher = new SessionWatcher({
    connections,
    reach: async connection => (await reach(connections, connection, 'look')).client,
    store,
    listing,
    followed,
    // A window nobody is at shows what there is, and then rests.
    isWatched: () => asked > 0 || (view.visible && (isWindowUsed() || store.list.state === 'loading')),
    isTrusted,
    isReachable: connection => !connection.isEmulator || emulator.running !== undefined,
    isOpen,
    onLooked: (reference, listed) => {
      consider(
        reference,
        listed.asks.map(({ eventId }) => eventId),
      );
      teller.consider(reference, nameOf(listed), listed.asks).catch(onError);
    },
    warn: message => log.warn(message),
    clock: systemClock,
  });
  const poller = new Poller(async signal => {
    try {
      return await watcher.look(signal);
    } catch (error) {
      onError(error);
      return undefined;
    }
  });
  const refresh = async () => {
    asked++;
    watcher.forgetWait();
    try {
      await poller.trigger();
    } finally {
      asked--;
    }
  };
  let loadedActions: Promise<SessionActions> | undefined;
  const actions = () => {
    const context = { connections, store, listing, followed, panels, log, presentation, isTrusted, refresh, lifetime: lifetime.signal };
    loadedActions ??= import('../sessionActions').then(({ SessionActions }) => new SessionActions(context));
    return loadedActions;
  };

  const drawing = createDrawing({ view, store, listing, tree, presentation });
  const look = () => void poller.trigger();
  const reports = new PanelReports(store, followed, teller, onError);

  const subscriptions = combine(
    store.onDidChange(() => drawing.ask()),
    whenLookedAt(deps, view, { look, startOver: connection => store.reset(connection) }),
    followed.onDidFollow(look),
    tree,
    { dispose: () => void loadedActions?.then(loaded => loaded.dispose()) },
    poller,
    drawing,
    { dispose: () => lifetime.abort() },
  );
  drawing.ask();
  return { tree, actions, see: seen => reports.take(seen, isOpen(seen)), dispose: () => subscriptions.dispose() };
}

/** Draws what the view shows beside its rows, and these where they look different: together, since every look at a session changes them. */
function createDrawing(of: {
  readonly view: vscode.TreeView<SessionsTreeItem>;
  readonly store: SessionStore;
  readonly listing: SessionListing;
  readonly tree: SessionsTreeDataProvider;
  readonly presentation: () => PresentationContext;
}): Gathered {
  const { view, store, listing, tree, presentation } = of;
  let drawn = '';
  return new Gathered(() => {
    view.message = messageOf(store, listing);
    view.description = describeFilter(store.filter, vscode.l10n.t);
    view.badge = presentBadge(store.sessions(), presentation());
    setContextKey('managedAgents.sessionsState', store.state);
    setContextKey('managedAgents.sessionsFiltered', isFiltering(store.filter));
    const rows = store.groups().map(({ state, sessions }) => [state, sessions.map(listed => rowOf(listed, presentation()))]);
    const next = JSON.stringify([rows, store.more]);
    // VS Code shows its progress bar whenever a tree is read anew.
    if (next !== drawn) {
      drawn = next;
      tree.refresh();
    }
  });
}

/** What open panels report: newer than the list, and worth a word when it begins to wait. */
class PanelReports {
  private readonly lastAsks = new Map<string, string>();

  constructor(
    private readonly store: SessionStore,
    private readonly followed: FollowedSessions,
    private readonly teller: AskTeller,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** A panel that is still reading the history may show asks that were answered long ago. */
  take({ connection, sessionId, view }: SeenSession, isUpToDate: boolean): void {
    const { store, followed } = this;
    const reference = { connection, sessionId };
    const key = lookKey(reference);
    if (view.state === 'deleted') {
      store.remove(reference);
      followed.forget(reference).then(undefined, this.onError);
      return;
    }
    if (!isUpToDate) {
      store.touch();
      return;
    }
    const listed = store.find(reference);
    const asks = asksOfView(view);
    if (listed !== undefined) {
      // Stays when the panel closes, until the list says that something changed.
      store.looks.put(key, listed.session, { asks, firstWords: view.firstWords || undefined });
    }
    const ids = JSON.stringify([view.state, ...asks.map(({ eventId }) => eventId)]);
    if (this.lastAsks.get(key) !== ids) {
      this.lastAsks.set(key, ids);
      this.note(reference, view.state, view.title || view.firstWords || sessionId, asks).catch(this.onError);
    }
    store.touch();
  }

  private async note(reference: SessionReference, state: string, name: string, asks: ListedSession['asks']): Promise<void> {
    const { followed, teller } = this;
    if (state === 'archived' || state === 'terminated') {
      await followed.end(reference);
      return;
    }
    // Also one whose panel was brought back by a reload.
    await followed.follow(reference, Date.now());
    await teller.consider(reference, toName(name), asks);
  }
}

function toName(title: string): string {
  return nameOf({ name: title, session: { id: title, type: 'session' } });
}

/** All that a row and its hover are made of. */
function rowOf(listed: ListedSession, context: PresentationContext): unknown {
  const { session, asks } = listed;
  return [session.id, presentSession(listed, context), session.updated_at, asks.map(({ eventId }) => eventId)];
}

/** Why the rows may not be what the service has now, or not what was asked for. Without rows the welcome content speaks, which a message would hide. */
function messageOf(store: SessionStore, { note }: SessionListing): string | undefined {
  if (store.state !== 'filled') {
    return undefined;
  }
  if (store.problem !== undefined) {
    return vscode.l10n.t('Could not refresh: {0}', describeError(store.problem));
  }
  switch (note) {
    case 'refused':
      return vscode.l10n.t('The service does not take this filter: only what was loaded is filtered.');
    case 'ignored':
      return vscode.l10n.t('The service does not filter by this: only what was loaded is filtered.');
    case undefined:
      return undefined;
  }
}

async function hoverOf({ connections }: SessionsDependencies, listed: ListedSession, context: PresentationContext): Promise<string> {
  const { toSessionHover } = await import('../toSessionHover');
  const connection = connections.find(listed.connection);
  return toSessionHover(listed, { name: listed.connection, host: connection === undefined ? '' : hostOf(connection) }, context);
}
