import * as vscode from 'vscode';
import { systemClock } from '../../../common/clock';
import { setContextKey } from '../../../common/contextKeys';
import { combine } from '../../../common/disposables';
import { Gathered } from '../../../common/lists/gathered';
import { Poller } from '../../../common/lists/poller';
import { hostOf, type PresentationContext } from '../../../common/text/presentation';
import { isWindowUsed } from '../../../common/windowUse';
import type { SessionReference } from '../../../contributions';
import { mayUse, reach } from '../../connection';
import { whenLookedAt } from '../../resources/lists';
import type { SessionsDependencies } from '../index';
import type { SessionActions } from '../sessionActions';
import type { SeenSession, SessionPanels } from '../sessionPanels';
import type { FollowedSessions } from './followedSessions';
import type { ListedSession } from './listedSession';
import { ReadMarks } from './readMarks';
import { SessionListing } from './sessionListing';
import { createSessionNews } from './sessionNews';
import { readSort, type SessionSort, writeSort } from './sessionSort';
import { SessionStore } from './sessionStore';
import { SessionsDrawing, type SessionsPicture } from './sessionsPicture';
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
): SessionsView {
  const { connections, emulator, log } = deps;
  const lifetime = new AbortController();
  const marks = new ReadMarks(deps.context.workspaceState);
  const store = new SessionStore(
    systemClock,
    () => panels.seen,
    () => [...panels.opened, ...followed.all()],
    (reference, updatedAt) => marks.isUnread(reference, updatedAt),
  );
  store.setSort(readSort(deps.context.workspaceState));
  const listing = new SessionListing(store);
  const presentation = (): PresentationContext => ({ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() });
  const isSame = (a: SessionReference | undefined, b: SessionReference) => a?.connection === b.connection && a.sessionId === b.sessionId;
  const isOpen = (reference: SessionReference) => panels.seen.some(seen => isSame(seen, reference));
  const onError = (error: unknown) => log.error('Sessions could not be looked after', error);
  const news = createSessionNews(deps, { store, followed, panels, marks, presentation, onError, lifetime: lifetime.signal });
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
    onLooked: (reference, listed) => news.looked(reference, listed),
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
    const sortBy = async (sort: SessionSort) => {
      store.setSort(sort);
      await writeSort(deps.context.workspaceState, sort);
    };
    const acts = { sortBy, refresh, isTrusted, presentation, lifetime: lifetime.signal };
    const context = { connections, store, listing, followed, panels, log, ...acts };
    loadedActions ??= import('../sessionActions').then(({ SessionActions }) => new SessionActions(context));
    return loadedActions;
  };

  const pictures = new SessionsDrawing(store, listing, presentation, {
    show: picture => show(view, picture),
    drawRows: () => tree.refresh(),
  });
  const drawing = new Gathered(() => {
    if (panels.active !== undefined) {
      news.markRead(panels.active);
    }
    pictures.draw();
  });
  const look = () => void poller.trigger();

  const subscriptions = combine(
    store.onDidChange(() => drawing.ask()),
    store.onDidOutdate(reference => panels.refresh(reference)),
    whenLookedAt(deps, view, { look, startOver: connection => store.reset(connection) }),
    followed.onDidFollow(look),
    marks,
    tree,
    { dispose: () => void loadedActions?.then(loaded => loaded.dispose()) },
    poller,
    drawing,
    { dispose: () => lifetime.abort() },
  );
  drawing.ask();
  return { tree, actions, see: seen => news.take(seen, isOpen(seen)), dispose: () => subscriptions.dispose() };
}

/** Shows what stands beside the rows. */
function show(view: vscode.TreeView<SessionsTreeItem>, { message, description, badge, state, isFiltered }: SessionsPicture): void {
  view.message = message;
  view.description = description;
  view.badge = badge;
  setContextKey('managedAgents.sessionsState', state);
  setContextKey('managedAgents.sessionsFiltered', isFiltered);
}

async function hoverOf({ connections }: SessionsDependencies, listed: ListedSession, context: PresentationContext): Promise<string> {
  const { toSessionHover } = await import('../toSessionHover');
  const connection = connections.find(listed.connection);
  return toSessionHover(listed, { name: listed.connection, host: connection === undefined ? '' : hostOf(connection) }, context);
}
