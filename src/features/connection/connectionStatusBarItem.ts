import * as vscode from 'vscode';
import type { CommandId } from '../../contributions';
import type { StatusBarText } from './connectionPresentation';

/** The status bar item with the current connection's name and state; a click switches. */
export class ConnectionStatusBarItem implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor() {
    this.item = vscode.window.createStatusBarItem('managedAgents.connection', vscode.StatusBarAlignment.Left, 40);
    this.item.name = vscode.l10n.t('Managed Agents Connection');
    this.item.command = 'managedAgents.connection.switch' satisfies CommandId;
  }

  /** Shows `shown`, or nothing. */
  update(shown: StatusBarText | undefined): void {
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
    // As code: no part of a value becomes a link or a picture.
    tooltip.appendMarkdown(`\`${value.replaceAll('`', "'")}\`  \n`);
  }
  tooltip.appendMarkdown('\n');
  tooltip.appendText(vscode.l10n.t('Click to switch.'));
  return tooltip;
}
