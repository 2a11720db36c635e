import * as vscode from 'vscode';
import { describeTrust } from '../../../common/text/describeTrust';
import type { AgentReference } from '../../../contributions';
import { panelStateSchema } from '../../../shared/session/fromSessionSchema';
import { type Connection, mayUse, reach, readyConnection } from '../../connection';
import type { SessionActionContext } from '../sessionActionContext';
import { toChosenAgent } from './agentPicker';
import { type FilledStart, StartPanel } from './startPanel';

/** Opens the panels of new sessions. Reuses an open panel without preset values. */
export class SessionStarter {
  private plain: StartPanel | undefined;

  constructor(private readonly deps: SessionActionContext) {}

  async start(given: AgentReference | undefined): Promise<void> {
    const { connections } = this.deps;
    const ready = await readyConnection(connections, {
      question: vscode.l10n.t('Select where to start the session'),
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

  /** Restores a panel after a reload of the window. Closes a panel with values that a command set. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { connections } = this.deps;
    await connections.whenKnown;
    const name = panelStateSchema.catch({}).parse(state).connection;
    const connection = name === undefined ? undefined : connections.find(name);
    if (connection === undefined || this.plain !== undefined || !mayUse('change')) {
      panel.dispose();
    } else {
      this.openPlain(connection, {}, panel);
    }
  }

  private openPlain(connection: Connection, answers: FilledStart['answers'] = {}, restored?: vscode.WebviewPanel): void {
    const heading = vscode.l10n.t('New Session');
    const filled = { heading, notes: [], button: vscode.l10n.t('Start'), answers };
    const onDispose = () => {
      if (this.plain === opened) {
        this.plain = undefined;
      }
    };
    const opened = new StartPanel(this.deps, connection, filled, { connection: connection.name }, { panel: restored, onDispose });
    this.plain = opened;
  }
}
