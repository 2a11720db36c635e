import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { decorate } from '../../../common/lists/treeItems';
import type { PresentationContext } from '../../../common/text/presentation';
import type { SessionReference } from '../../../contributions';
import type { OpenAsk } from '../facts/openAsks';
import type { Coverage } from '../list/sessionStore';
import { describeNeeds, presentNeed } from './inboxPresentation';
import type { WaitingSession } from './knownWaiting';

/** The heading of everything that waits for the user. */
export class NeedsTreeItem extends vscode.TreeItem {
  constructor(count: number, coverage: Coverage, context: PresentationContext) {
    const label = vscode.l10n.t('Inbox');
    super(label, vscode.TreeItemCollapsibleState.Expanded);
    const words = describeNeeds(count, coverage, context);
    this.description = words;
    this.contextValue = 'needs';
    this.accessibilityInformation = { label: `${label}, ${words}` };
    // Without one VS Code would wait for it to be resolved.
    this.tooltip = `${label}, ${words}`;
    this.id = 'needs';
  }
}

/** Something that waits; opens the inbox at it. As a command's argument it names its session. */
export class NeedTreeItem extends vscode.TreeItem implements SessionReference {
  readonly connection: string;
  readonly sessionId: string;

  constructor(session: WaitingSession, ask: OpenAsk, context: PresentationContext) {
    const row = presentNeed(session, ask, context);
    super(row.label);
    decorate(this, row);
    this.tooltip = row.spoken;
    this.connection = session.connection;
    this.sessionId = session.sessionId;
    const { connection, sessionId } = this;
    this.id = `need ${connection}\n${sessionId}\n${ask.eventId}`;
    this.command = commandLink('managedAgents.inbox.open', vscode.l10n.t('Open Inbox'), { connection, sessionId }, ask.eventId);
  }
}
