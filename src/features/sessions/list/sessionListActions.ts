import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { pageAfter } from '../../../common/lists/pagedList';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { views } from '../../../contributions';
import { reach } from '../../connection';
import { referenceOf } from '../facts/listedSession';
import type { SessionActionContext } from '../sessionActionContext';
import { describeAsk } from './sessionPresentation';

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

/** Steps through the open asks of all sessions, latest first. */
export class WaitingTour {
  private lastEventId: string | undefined;

  constructor(private readonly deps: SessionActionContext) {}

  async next(): Promise<void> {
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
}
