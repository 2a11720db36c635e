import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { type PresentationContext, shortId } from '../../../common/text/presentation';
import { loadMoreRow, NodeTree, type TreeRow } from '../../../common/tree/nodeTree';
import { toLabel } from '../../../shared/text';
import { type ListedSession, referenceOf, sessionKey } from '../facts/listedSession';
import { type DeploymentSessions, rowsOf, type SessionGroup } from './sessionGroups';
import { minute, minuteOf, presentDeployment, presentGroup, presentSession } from './sessionPresentation';
import type { SessionStore } from './sessionStore';

/** Row of the view: a session, a group of sessions, the sessions of a deployment in a group, or the row that loads the next page. */
export type SessionsRow = ListedSession | SessionGroup | DeploymentSessions | { readonly problem: string | undefined };

export type SessionsTree = NodeTree<SessionsRow>;

/** Creates the tree of the sessions in a store. */
export function createSessionsTree(
  store: SessionStore,
  context: () => PresentationContext,
  hoverOf: (listed: ListedSession) => Promise<string>,
  names: Pick<DeploymentNames, 'nameOf'>,
): SessionsTree {
  return new NodeTree<SessionsRow>({
    roots: () => [...(store.sort === 'needsYou' ? store.groups() : store.sessions()), ...(store.more === undefined ? [] : [store.more])],
    below: row => ('name' in row && 'sessions' in row ? rowsOf(row) : 'sessions' in row ? row.sessions : []),
    // Rows look different when sorted by cost, so they get other keys.
    key: row => (store.sort === 'cost' ? `cost ${keyOf(row)}` : keyOf(row)),
    render: row => render(row, store, context(), names),
    hover: async row => ('session' in row ? await hoverOf(row) : ''),
    hoverActs: row =>
      'session' in row && row.problem !== undefined
        ? [
            commandLink('managedAgents.session.interrupt', vscode.l10n.t('Interrupt'), referenceOf(row)),
            commandLink('managedAgents.session.send', vscode.l10n.t('Message'), referenceOf(row)),
          ]
        : [],
    now: () => context().now,
  });
}

function keyOf(row: SessionsRow): string {
  if ('session' in row) {
    return sessionKey(referenceOf(row));
  }
  if ('deployment' in row) {
    return JSON.stringify([row.group, row.connection, row.deployment]);
  }
  return 'sessions' in row ? `group ${row.name}` : 'more';
}

function render(
  row: SessionsRow,
  { coverage, sort }: SessionStore,
  context: PresentationContext,
  names: Pick<DeploymentNames, 'nameOf'>,
): TreeRow {
  if ('session' in row) {
    const target = referenceOf(row);
    return {
      ...presentSession(row, context, sort),
      target,
      command: commandLink(
        'managedAgents.session.open',
        vscode.l10n.t('Open Session'),
        target,
        row.asks[0]?.eventId ?? row.question?.eventId,
        true,
      ),
      hoverVersion: `${row.session.updated_at ?? ''} ${row.problem?.episode ?? ''}`,
      until: minuteOf(context) + minute,
    };
  }
  if ('deployment' in row) {
    const shown = presentDeployment(names.nameOf(row), row.sessions.length, context);
    return { ...shown, tooltip: shown.spoken, folding: row.group === 'needsYou' ? 'expanded' : 'collapsed' };
  }
  if ('sessions' in row) {
    const shown = presentGroup(row, coverage, context);
    const folding = row.name === 'needsYou' || row.name === 'running' ? 'expanded' : 'collapsed';
    // The count also depends on how many sessions are known.
    return { ...shown, tooltip: shown.spoken, folding, until: context.now };
  }
  return loadMoreRow(row.problem, commandLink('managedAgents.sessions.loadMore', vscode.l10n.t('Load More')));
}

/** Names of deployments that started listed sessions. Each name is read once, when it is first shown. */
export class DeploymentNames {
  private readonly names = new Map<string, string>();

  constructor(
    private readonly read: (connection: string, id: string) => Promise<string | null | undefined>,
    private readonly onRead: () => void,
  ) {}

  /** Returns the name of a deployment, or its short ID until it was read. */
  nameOf({ connection, deployment: id }: Pick<DeploymentSessions, 'connection' | 'deployment'>): string {
    const key = JSON.stringify([connection, id]);
    const known = this.names.get(key);
    if (known === undefined) {
      this.names.set(key, shortId(id));
      this.readName(key, connection, id).catch(() => undefined);
    }
    return known ?? shortId(id);
  }

  private async readName(key: string, connection: string, id: string): Promise<void> {
    const name = toLabel((await this.read(connection, id)) ?? '', 80);
    if (name !== '') {
      this.names.set(key, name);
      this.onRead();
    }
  }
}
