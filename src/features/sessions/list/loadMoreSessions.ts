import * as vscode from 'vscode';
import { pageAfter } from '../../../common/lists/pagedList';
import { views } from '../../../contributions';
import { reach } from '../../connection';
import type { SessionActionContext } from '../sessionActionContext';

/** Loads the next page of sessions. */
export async function loadMoreSessions({ connections, store, listing }: SessionActionContext): Promise<void> {
  const { current } = connections;
  if (current === undefined || store.connectionName !== current.name) {
    return;
  }
  await vscode.window.withProgress({ location: { viewId: views.sessions } }, async () => {
    const { client } = await reach(connections, current, 'look');
    await store.loadMore(cursor => listing.page(client, { limit: pageAfter(store.list.items.length), cursor }));
  });
}
