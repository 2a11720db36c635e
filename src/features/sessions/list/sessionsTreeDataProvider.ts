import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import type { PresentationContext } from '../../../common/text/presentation';
import { loadMoreRow, NodeTree, type TreeRow } from '../../../common/tree/nodeTree';
import { asksOf, describeNeeds, type Need, presentNeed } from '../inbox/inboxPresentation';
import type { WaitingSessions } from '../inbox/knownWaiting';
import { lookKey } from './known/sessionRecords';
import type { ListedSession } from './listedSession';
import { presentGroup, presentSession, rowStays } from './sessionPresentation';
import type { SessionStore } from './sessionStore';
import type { SessionGroup } from './shownSessions';

/** A row of the view: a session, a heading above sessions, what needs the user, the heading above that, or what loads the next page. */
export type SessionsRow =
  | ListedSession
  | SessionGroup
  | Need
  | { readonly needs: readonly Need[] }
  | { readonly problem: string | undefined };

export type SessionsTree = NodeTree<SessionsRow>;

/** What needs the user, and the sessions of a `SessionStore`, as VS Code's tree. */
export function createSessionsTree(
  store: SessionStore,
  waiting: WaitingSessions,
  context: () => PresentationContext,
  hoverOf: (listed: ListedSession) => Promise<string>,
): SessionsTree {
  const roots = (): readonly SessionsRow[] => {
    const { sort, more } = store;
    const needs = asksOf(waiting);
    return [
      ...(needs.length === 0 ? [] : [{ needs }]),
      ...(sort === 'needsYou' ? store.groups() : store.sessions()),
      ...(more === undefined ? [] : [more]),
    ];
  };
  return new NodeTree<SessionsRow>({
    roots,
    below: row => ('needs' in row ? row.needs : 'sessions' in row ? row.sessions : []),
    key: keyOf,
    render: row => render(row, store, context()),
    hover: async row => (isSession(row) ? await hoverOf(row) : ''),
    now: () => context().now,
  });
}

function isSession(row: SessionsRow): row is ListedSession {
  return 'session' in row && !('ask' in row);
}

function keyOf(row: SessionsRow): string {
  if ('ask' in row) {
    return `need ${lookKey(row.session)}\n${row.ask.eventId}`;
  }
  if ('session' in row) {
    return lookKey({ connection: row.connection, sessionId: row.session.id });
  }
  return 'needs' in row ? 'needs' : 'sessions' in row ? `group ${row.state}` : 'more';
}

function render(row: SessionsRow, { coverage }: SessionStore, context: PresentationContext): TreeRow {
  // What a heading and an ask say depends on more than their rows.
  const until = context.now;
  if ('ask' in row) {
    const { connection, sessionId } = row.session;
    const shown = presentNeed(row.session, row.ask, context);
    const target = { connection, sessionId };
    const command = commandLink('managedAgents.inbox.open', vscode.l10n.t('Open Inbox'), target, row.ask.eventId);
    return { ...shown, tooltip: shown.spoken, target, command, until };
  }
  if ('session' in row) {
    const target = { connection: row.connection, sessionId: row.session.id };
    return {
      ...presentSession(row, context),
      target,
      command: commandLink('managedAgents.session.open', vscode.l10n.t('Open Session'), target, row.asks[0]?.eventId),
      hoverVersion: row.session.updated_at ?? '',
      until: rowStays(row, context),
    };
  }
  if ('needs' in row) {
    const label = vscode.l10n.t('Inbox');
    const description = describeNeeds(row.needs.length, coverage, context);
    const spoken = `${label}, ${description}`;
    return { label, description, icon: '', color: undefined, abilities: 'needs', spoken, tooltip: spoken, folding: 'expanded', until };
  }
  if ('sessions' in row) {
    const shown = presentGroup(row, coverage, context);
    return { ...shown, tooltip: shown.spoken, folding: row.state === 'archived' ? 'collapsed' : 'expanded', until };
  }
  return loadMoreRow(row.problem, commandLink('managedAgents.sessions.loadMore', vscode.l10n.t('Load More')));
}
