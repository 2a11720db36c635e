import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/serviceClient';
import type { Log } from '../../common/log';
import type { PresentationContext } from '../../common/text/presentation';
import type { SessionReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { type Connection, type Connections, refuseUntrusted, type Use } from '../connection';
import type { FollowedSessions } from './list/followedSessions';
import type { SessionListing } from './list/sessionListing';
import { nameOf } from './list/sessionPresentation';
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
  readonly presentation: () => PresentationContext;
  readonly isTrusted: () => boolean;
  /** Looks at the service now, whether the view is visible or not; settles when what it said is in the store. */
  readonly refresh: () => Promise<void>;
  /** Aborts when the extension ends. */
  readonly lifetime: AbortSignal;
}

/** The connection of a session and its client, for an act of the user. Throws when the connection is gone. */
export async function reach(
  { connections }: Pick<SessionActionContext, 'connections'>,
  { connection: name }: SessionReference,
  use: Use = 'read',
): Promise<{ readonly connection: Connection; readonly client: ServiceClient }> {
  await connections.whenKnown;
  const connection = connections.find(name);
  if (connection === undefined) {
    throw new Error(vscode.l10n.t('The connection {0} of this session no longer exists. Add it again to reach the session.', name));
  }
  return { connection, client: await connections.client(connection, use) };
}

/** As `reach`, to change something. Throws in an untrusted workspace: nothing is sent from there. */
export async function reachToChange(
  deps: Pick<SessionActionContext, 'connections' | 'isTrusted'>,
  reference: SessionReference,
): ReturnType<typeof reach> {
  refuseUntrusted('change', deps.isTrusted());
  return await reach(deps, reference, 'change');
}

/** The name of a session as the view shows it, or its id. */
export function describeSession({ store }: Pick<SessionActionContext, 'store'>, reference: SessionReference): string {
  const listed = store.find(reference);
  return listed === undefined ? toLabel(reference.sessionId, 80) : nameOf(listed);
}
