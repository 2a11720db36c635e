import * as vscode from 'vscode';
import { askModal, showWarning } from '../../common/asking/notifications';
import { runCommand } from '../../common/commands';
import type { Log } from '../../common/log';
import type { Translate } from '../../common/text/translate';
import { toLabel } from '../../shared/text';
import type { Connection, Connections } from '../connection';
import { findLinked, type Link, type LinkTarget, parseLink, toLinkHost } from './linkForm';
import { openLinked, type SentBatches } from './openLinked';

export interface LinksDependencies {
  readonly log: Log;
  readonly connections: Pick<Connections, 'all' | 'whenKnown'>;
  readonly registry: SentBatches;
}

/**
 * Opens the targets of links. Anyone can write a link, and a web page can open a link. Therefore nothing is requested from a service before
 * the user agrees, and only the first of several simultaneous links is opened.
 */
export class LinkFollower implements vscode.Disposable {
  private isAsking = false;
  private isDisposed = false;

  constructor(private readonly deps: LinksDependencies) {}

  async follow(uri: Pick<vscode.Uri, 'path' | 'query'>): Promise<void> {
    if (this.isAsking) {
      this.deps.log.warn('Ignored a link: another link is waiting for confirmation');
      return;
    }
    const link = parseLink(uri);
    if (link === undefined) {
      void showWarning(vscode.l10n.t('This link is invalid or incomplete.'));
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
      await openLinked(this.deps.registry, connection.name, link);
    }
  }

  dispose(): void {
    this.isDisposed = true;
  }

  private async ask(link: Link): Promise<Connection | undefined> {
    const { connections } = this.deps;
    const { t } = vscode.l10n;
    // If the link opened this window, the connections may not be known yet.
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
}

async function choose(found: readonly Connection[]): Promise<Connection | undefined> {
  const items = found.map(connection => ({
    label: toLabel(connection.name, 100),
    description: toLabel(connection.baseUrl, 100),
    connection,
  }));
  const placeHolder = vscode.l10n.t('Select a connection');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.connection;
}

/** Returns the question to ask before a link is opened. Shows the link's contents and the service to be used. */
export function toOpenQuestion(link: Link, connection: Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'>, t: Translate) {
  const host = connection.isEmulator ? t('the emulator') : toLabel(toLinkHost(connection), 100);
  const detail = t('The link uses your connection "{0}".', toLabel(connection.name, 100));
  const target = describeTarget(link, t);
  return {
    message: t('Open {0} on {1}?', toLabel(link.id, 100), host),
    detail: target === undefined ? detail : `${target}\n\n${detail}`,
  };
}

/**
 * Returns the message for a link whose host has no connection on this machine. `namesake` is a connection with the link's connection name
 * but another host.
 */
export function toMissingQuestion(link: Link, namesake: Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'> | undefined, t: Translate) {
  const host = toLabel(link.host, 100);
  const detail = t('Add a connection to {0} if you trust it, then open the link again.', host);
  const elsewhere =
    namesake && !namesake.isEmulator
      ? t('Your connection "{0}" points to {1}.', toLabel(namesake.name, 100), toLabel(toLinkHost(namesake), 100))
      : undefined;
  return {
    message: t('No connection points to {0}.', host),
    detail: elsewhere === undefined ? detail : `${elsewhere} ${detail}`,
  };
}

function describeTarget(link: LinkTarget, t: Translate): string | undefined {
  if (link.kind === 'session' && link.event !== undefined) {
    return t('Event: {0}', toLabel(link.event, 100));
  }
  return link.kind === 'batch' && link.customId !== undefined ? t('Request: {0}', toLabel(link.customId, 100)) : undefined;
}
