import type { Memento, Uri } from 'vscode';
import type { Log } from '../../common/log';
import type { PresentationContext } from '../../common/text/presentation';
import type { SessionReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { type Connections, type Reached, reach } from '../connection';
import type { FollowedSessions } from './list/followedSessions';
import type { SessionListing } from './list/sessionListing';
import { nameOf } from './list/sessionPresentation';
import type { SessionSort } from './list/sessionSort';
import type { SessionStore } from './list/sessionStore';
import type { SessionPanels } from './sessionPanels';

/** What everything one does with a session is made of. */
export interface SessionActionContext {
  readonly connections: Connections;
  readonly store: SessionStore;
  readonly listing: SessionListing;
  readonly followed: FollowedSessions;
  readonly panels: SessionPanels;
  readonly log: Log;
  /** Where the extension is, with what its panels load. */
  readonly extension: Uri;
  /** State of the workspace. */
  readonly memento: Memento;
  readonly presentation: () => PresentationContext;
  readonly isTrusted: () => boolean;
  /** Sorts the view, from now on. */
  readonly sortBy: (sort: SessionSort) => Promise<void>;
  /** Looks at the service now, whether the view is visible or not; settles when what it said is in the store. */
  readonly refresh: () => Promise<void>;
  /** Shows the inbox, at an ask where one is named. */
  readonly showInbox: (ask?: { readonly reference: SessionReference; readonly eventId: string }) => Promise<void>;
  /** Aborts when the extension ends. */
  readonly lifetime: AbortSignal;
}

/** The service of a session, to change something there. Throws in an untrusted workspace: nothing is sent from there. */
export function reachToChange(
  { connections, isTrusted }: Pick<SessionActionContext, 'connections' | 'isTrusted'>,
  { connection }: SessionReference,
): Promise<Reached> {
  return reach(connections, connection, 'change', isTrusted());
}

/** The name of a session as the view shows it, or its id. */
export function describeSession({ store }: Pick<SessionActionContext, 'store'>, reference: SessionReference): string {
  const listed = store.find(reference);
  return listed === undefined ? toLabel(reference.sessionId, 80) : nameOf(listed);
}
