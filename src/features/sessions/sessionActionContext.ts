import type { Memento, Uri } from 'vscode';
import type { Log } from '../../common/log';
import type { PresentationContext } from '../../common/text/presentation';
import type { SessionReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import type { Connections } from '../connection';
import type { FollowedSessions } from './list/followedSessions';
import { nameOf } from './list/sessionPresentation';
import type { SessionListing, SessionStore } from './list/sessionStore';
import type { SessionPanels } from './sessionPanels';

/** Dependencies of all actions on sessions. */
export interface SessionActionContext {
  readonly connections: Connections;
  readonly store: SessionStore;
  readonly listing: SessionListing;
  readonly followed: FollowedSessions;
  readonly panels: SessionPanels;
  readonly log: Log;
  readonly extension: Uri;
  readonly memento: Memento;
  readonly presentation: () => PresentationContext;
  /** Polls the service now, even if the view is hidden. Settles once the store has the response. */
  readonly refresh: () => Promise<void>;
  readonly showInbox: (ask?: { readonly reference: SessionReference; readonly eventId: string }) => Promise<void>;
  /** Aborted when the extension is deactivated. */
  readonly lifetime: AbortSignal;
}

/** Returns the name of a session as shown in the view. If the session is unknown, returns its ID. */
export function describeSession({ store }: Pick<SessionActionContext, 'store'>, reference: SessionReference): string {
  const listed = store.find(reference);
  return listed === undefined ? toLabel(reference.sessionId, 80) : nameOf(listed);
}
