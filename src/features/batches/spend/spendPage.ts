import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { askWhere } from '../../../common/asking/newFile';
import { showInformation } from '../../../common/asking/notifications';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { Throttle } from '../../../common/lists/throttle';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { toLabel } from '../../../shared/text';
import { type SubmissionRegistry, toRuns } from '../../ledger';
import { toPageHtml } from '../details/pageHtml';
import { toSpendLimit } from '../sheet/spendLimit';
import { toSourceNames } from '../sourceNames';
import { toSpendCsv, toSpendPage } from './spendPresentation';
import { type SpendRow, type SpentSession, toSpendRows } from './spendRows';

const spendViewType = 'managedAgents.spend';

/** Commands that a link of the page can run. */
const pageCommands = ['managedAgents.spend.export'];

export interface SpendDependencies {
  readonly registry: Pick<SubmissionRegistry, 'all' | 'load' | 'onDidChange'>;
  /** Returns the sessions that this window knows. */
  readonly sessions: () => readonly SpentSession[];
}

/** The page that shows what batches and sessions cost, by day, connection, model, and file or agent. */
export class SpendPage implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private rendered: string | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: SpendDependencies) {
    const drawing = new Throttle(() => void this.draw().catch(() => undefined), 1000);
    this.subscriptions = vscode.Disposable.from(
      drawing,
      deps.registry.onDidChange(() => drawing.ask()),
      onDidChangeSettings(['managedAgents.estimate.prices', 'managedAgents.estimate.currency', 'managedAgents.spend.limit'], () =>
        drawing.ask(),
      ),
    );
  }

  /** Opens or reveals the page. */
  async show(): Promise<void> {
    if (this.panel === undefined) {
      await this.restore(vscode.window.createWebviewPanel(spendViewType, '', vscode.ViewColumn.Active, { enableFindWidget: true }));
    } else {
      this.panel.reveal();
      await this.draw();
    }
  }

  /** Shows the page in a panel, also one that a reloaded window restored. */
  async restore(panel: vscode.WebviewPanel): Promise<void> {
    this.panel?.dispose();
    this.panel = panel;
    this.rendered = undefined;
    panel.title = vscode.l10n.t('Spend');
    panel.webview.options = { enableScripts: true, enableCommandUris: pageCommands, localResourceRoots: [] };
    panel.onDidDispose(() => {
      if (this.panel === panel) {
        this.panel = undefined;
      }
    });
    await this.deps.registry.load();
    await this.draw();
  }

  /** Writes all rows to a CSV file that the user chooses. */
  async export(): Promise<void> {
    const { t } = vscode.l10n;
    await this.deps.registry.load();
    const file = await askWhere('spend.csv', t('Export Spend'));
    await writeFile(file, toSpendCsv(this.rows()), { mode: 0o600 });
    const open = t('Open');
    void showInformation(t('Wrote {0}.', toLabel(path.basename(file), 80)), open).then(async choice => {
      if (choice === open) {
        await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
      }
    });
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.panel?.dispose();
  }

  private rows(): readonly SpendRow[] {
    return toSpendRows(toRuns(this.deps.registry.all()), this.deps.sessions(), readEstimateSettings());
  }

  private async draw(): Promise<void> {
    const { panel, deps } = this;
    if (panel === undefined) {
      return;
    }
    const markdown = toSpendPage(this.rows(), {
      ...{ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() },
      nameOf: toSourceNames(deps.registry.all().map(({ source }) => source)),
      ...{ currency: readEstimateSettings().currency, limit: toSpendLimit(readSetting('managedAgents.spend.limit')) },
    });
    const body = await vscode.commands.executeCommand<string>('markdown.api.render', markdown);
    if (panel === this.panel && body !== this.rendered) {
      this.rendered = body;
      panel.webview.html = toPageHtml(body, {}, panel.title, true);
    }
  }
}
