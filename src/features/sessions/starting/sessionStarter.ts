import * as vscode from 'vscode';
import { webviewOptions } from '../../../common/documents/webviewHtml';
import { describeTrust } from '../../../common/text/describeTrust';
import type { AgentReference } from '../../../contributions';
import { type Connection, mayUse, reach, readyConnection } from '../../connection';
import { panelStateSchema } from '../panel/fromSessionSchema';
import { viewTypes } from '../panel/words/viewTypes';
import type { SessionActionContext } from '../sessionActionContext';
import { toChosenAgent } from './lastAgent';
import { type FilledStart, StartPanel } from './startPanel';

/** Opens the panels of new sessions. One that no command filled in is used again. */
export class SessionStarter {
  private plain: StartPanel | undefined;

  constructor(private readonly deps: SessionActionContext) {}

  /** Opens the panel of a new session, with an agent if one is given. */
  async start(given: AgentReference | undefined): Promise<void> {
    const { connections } = this.deps;
    const ready = await readyConnection(connections, {
      question: vscode.l10n.t('Start the session where?'),
      untrusted: vscode.l10n.t('No session was started. {0}', describeTrust(vscode.l10n.t)),
    });
    const { connection, client } = await reach(connections, given?.connection ?? ready, 'change');
    const version = given?.version === undefined ? {} : { version: given.version };
    const agent = given && toChosenAgent((await client.agents.retrieve(given.agentId, version)).data, given.version);
    if (this.plain?.isOn(connection) === true) {
      return this.plain.show(agent);
    }
    this.openPlain(connection, agent && { agent });
  }

  /** Opens a panel that a command filled in. `text` is the first text of its message. */
  open(connection: Connection, filled: FilledStart, text = ''): StartPanel {
    return new StartPanel(this.deps, connection, filled, this.createPanel(filled.heading), { given: text });
  }

  /** Restores a panel after a reload of the window. One that a command filled in is closed. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { connections } = this.deps;
    await connections.whenKnown;
    const name = panelStateSchema.catch({}).parse(state).connection;
    const connection = name === undefined ? undefined : connections.find(name);
    if (connection === undefined || this.plain !== undefined || !mayUse('change')) {
      panel.dispose();
    } else {
      panel.webview.options = webviewOptions(this.deps.extension);
      this.openPlain(connection, {}, panel);
    }
  }

  private openPlain(connection: Connection, answers: FilledStart['answers'] = {}, restored?: vscode.WebviewPanel): void {
    const heading = vscode.l10n.t('New Session');
    const filled = { heading, notes: [], button: vscode.l10n.t('Start'), answers };
    const opened = new StartPanel(this.deps, connection, filled, restored ?? this.createPanel(heading), { connection: connection.name });
    this.plain = opened;
    opened.panel.onDidDispose(() => {
      if (this.plain === opened) {
        this.plain = undefined;
      }
    });
  }

  private createPanel(title: string): vscode.WebviewPanel {
    return vscode.window.createWebviewPanel(viewTypes.newSession, title, vscode.ViewColumn.Active, {
      ...webviewOptions(this.deps.extension),
      enableFindWidget: false,
    });
  }
}
