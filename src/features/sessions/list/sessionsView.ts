import * as vscode from 'vscode';
import { systemClock } from '../../../common/clock';
import { setContextKey } from '../../../common/contextKeys';
import { combine } from '../../../common/disposables';
import { Gathered } from '../../../common/lists/gathered';
import { Poller } from '../../../common/lists/poller';
import { readSetting } from '../../../common/settings';
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
import { SessionListing } from './sessionListing';
import { nameOf } from './sessionPresentation';
import { lookKey } from './sessionRecords';
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
  const store = new SessionStore(
    systemClock,
    () => panels.seen,
    () => [...panels.opened, ...followed.all()],
  );
  store.setSort(readSort(deps.context.workspaceState));
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
    onLooked: (reference, listed) => void teller.consider(reference, nameOf(listed), listed.asks).catch(onError),
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
  const drawing = new Gathered(() => pictures.draw());
  const look = () => void poller.trigger();
  const reports = new PanelReports(store, followed, teller, onError);

  const subscriptions = combine(
    store.onDidChange(() => drawing.ask()),
    store.onDidOutdate(reference => panels.refresh(reference)),
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

/** Shows what stands beside the rows. */
function show(view: vscode.TreeView<SessionsTreeItem>, { message, description, badge, state, isFiltered }: SessionsPicture): void {
  view.message = message;
  view.description = description;
  view.badge = badge;
  setContextKey('managedAgents.sessionsState', state);
  setContextKey('managedAgents.sessionsFiltered', isFiltered);
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
    store.see({ ...reference, view });
    const asks = asksOfView(view);
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

async function hoverOf({ connections }: SessionsDependencies, listed: ListedSession, context: PresentationContext): Promise<string> {
  const { toSessionHover } = await import('../toSessionHover');
  const connection = connections.find(listed.connection);
  return toSessionHover(listed, { name: listed.connection, host: connection === undefined ? '' : hostOf(connection) }, context);
}
