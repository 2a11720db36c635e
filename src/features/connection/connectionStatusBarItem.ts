import * as vscode from 'vscode';
import type { ServiceHealth } from '../../client/transport/errors';
import type { CommandId } from '../../contributions';
import type { Connection } from './connection';
import { type StatusBarText, toStatusBarText } from './connectionPresentation';
import type { ConnectionsSnapshot } from './connectionStore';

/** Status bar item with the name and state of the current connection. A click switches connections. */
export class ConnectionStatusBarItem implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private known: { readonly snapshot: ConnectionsSnapshot; readonly emulatorIsStarting: boolean } | undefined;
  private health: ServiceHealth = 'answers';

  constructor() {
    this.item = vscode.window.createStatusBarItem('managedAgents.connection', vscode.StatusBarAlignment.Left, 40);
    this.item.name = vscode.l10n.t('Managed Agents Connection');
    this.item.command = 'managedAgents.connection.switch' satisfies CommandId;
  }

  /** Shows the current connection, or hides the item if there is none. For a new connection or key, the service counts as responding. */
  update(snapshot: ConnectionsSnapshot, emulatorIsStarting: boolean): void {
    if (snapshot.access !== this.known?.snapshot.access) {
      this.health = 'answers';
    }
    this.known = { snapshot, emulatorIsStarting };
    this.show();
  }

  /** Shows the state of the service after a call, if the connection is the current one. */
  note({ name }: Connection, health: ServiceHealth): void {
    if (name === this.known?.snapshot.current?.name && health !== this.health) {
      this.health = health;
      this.show();
    }
  }

  private show(): void {
    const shown = this.known && toStatusBarText(this.known.snapshot, this.known.emulatorIsStarting, this.health, vscode.l10n.t);
    if (shown === undefined) {
      this.item.hide();
      return;
    }
    this.item.text = shown.text;
    this.item.accessibilityInformation = { label: shown.spoken, role: 'button' };
    this.item.tooltip = toTooltip(shown);
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

function toTooltip({ sentence, rows }: StatusBarText): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.appendMarkdown(`**${vscode.l10n.t('Managed Agents')}**\n\n`);
  if (sentence !== undefined) {
    tooltip.appendText(sentence);
    tooltip.appendMarkdown('\n\n');
  }
  for (const [label, value] of rows) {
    tooltip.appendText(`${label}: `);
    // Formatted as code, so that no part of a value becomes a link or an image.
    tooltip.appendMarkdown(`\`${value.replaceAll('`', "'")}\`  \n`);
  }
  tooltip.appendMarkdown('\n');
  tooltip.appendText(vscode.l10n.t('Click to switch'));
  return tooltip;
}
