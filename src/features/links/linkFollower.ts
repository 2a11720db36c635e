import * as vscode from 'vscode';
import { askModal, showInformation, showWarning } from '../../common/asking/notifications';
import { runCommand } from '../../common/commands';
import { toLabel } from '../../shared/text';
import type { Connection } from '../connection';
import { finalResultsOf, runOf, toRuns } from '../ledger';
import type { LinksDependencies } from './index';
import { findLinked } from './linkedConnections';
import { type Link, parseLink } from './linkForm';
import { describeLinkProblem, toMissingQuestion, toOpenQuestion } from './linkPresentation';

/**
 * Opens what links name, by the commands that a user would run, and so by their rules in a workspace that is not trusted. Anybody can write a
 * link, and a page can open one: nothing is asked of a service before the user agreed, and of several links that come at once the first one
 * counts.
 */
export class LinkFollower implements vscode.Disposable {
  private isAsking = false;
  private isDisposed = false;

  constructor(private readonly deps: LinksDependencies) {}

  async follow(uri: Pick<vscode.Uri, 'path' | 'query'>): Promise<void> {
    if (this.isAsking) {
      this.deps.log.warn('A link was left alone: another one was being asked about');
      return;
    }
    const link = parseLink(uri);
    if (typeof link === 'string') {
      void showWarning(describeLinkProblem(link, vscode.l10n.t));
      return;
    }
    this.isAsking = true;
    let connection: Connection | undefined;
    try {
      connection = await this.ask(link);
    } finally {
      this.isAsking = false;
    }
    if (connection !== undefined && !this.isDisposed) {
      await this.open(link, connection.name);
    }
  }

  dispose(): void {
    this.isDisposed = true;
  }

  /** The connection by which the user wants a link to be opened. */
  private async ask(link: Link): Promise<Connection | undefined> {
    const { connections } = this.deps;
    const { t } = vscode.l10n;
    // The link may be why the window was opened.
    await connections.whenKnown;
    const found = findLinked(connections.all(), link);
    if (found.length === 0) {
      const { message, detail } = toMissingQuestion(
        link,
        connections.all().find(({ name }) => name === link.connection),
        t,
      );
      const add = t('Add Connection...');
      if ((await askModal(message, { detail }, add)) === add) {
        await runCommand('managedAgents.connection.add');
      }
      return undefined;
    }
    const connection = found.length === 1 ? found[0] : await choose(found);
    if (connection === undefined) {
      return undefined;
    }
    const { message, detail } = toOpenQuestion(link, connection, t);
    const open = t('Open');
    return (await askModal(message, { detail }, open)) === open ? connection : undefined;
  }

  private async open(link: Link, connection: string): Promise<void> {
    switch (link.kind) {
      case 'session':
        return await runCommand('managedAgents.session.open', { connection, sessionId: link.id }, link.event);
      case 'agent': {
        const { id: agentId, version } = link;
        return await runCommand('managedAgents.agent.open', { connection, agentId, ...(version !== undefined && { version }) });
      }
      case 'batch':
        return await this.openBatch({ connection, batchId: link.id }, link.customId);
    }
  }

  /** Opens a batch, or where they are on this machine its results at one request. */
  private async openBatch(batch: { readonly connection: string; readonly batchId: string }, customId: string | undefined): Promise<void> {
    if (customId === undefined) {
      return await runCommand('managedAgents.batch.open', batch);
    }
    const { registry } = this.deps;
    await registry.reload();
    const submission = registry.findByBatch(batch.connection, batch.batchId);
    const run = submission && runOf(registry.all(), submission);
    if (run !== undefined && finalResultsOf(toRuns(registry.all()), run) !== undefined) {
      return await runCommand('managedAgents.results.show', batch, customId);
    }
    await runCommand('managedAgents.batch.open', batch);
    void this.offerResults(batch, customId);
  }

  private async offerResults(batch: { readonly connection: string; readonly batchId: string }, customId: string): Promise<void> {
    const { t } = vscode.l10n;
    const fetch = t('Fetch Results');
    const message = t('The results of this batch are not on this machine. Fetch them to see that of "{0}".', toLabel(customId, 60));
    if ((await showInformation(message, fetch)) === fetch) {
      await runCommand('managedAgents.batch.fetchResults', batch);
    }
  }
}

async function choose(found: readonly Connection[]): Promise<Connection | undefined> {
  const items = found.map(connection => ({
    label: toLabel(connection.name, 100),
    description: toLabel(connection.baseUrl, 100),
    connection,
  }));
  const placeHolder = vscode.l10n.t('Open the link with which connection?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.connection;
}
