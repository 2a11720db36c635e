import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { askWhere } from '../../../common/asking/newFile';
import { offerToOpen } from '../../../common/asking/notifications';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { Throttle } from '../../../common/lists/throttle';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { toLabel } from '../../../shared/text';
import { type SubmissionRegistry, toRuns } from '../../ledger';
import { MarkdownPages } from '../details/markdownPage';
import { toSpendLimit } from '../spendLimit';
import { toSourceNames } from '../sourceNames';
import { type SpendRow, type SpentSession, toSpendCsv, toSpendPage, toSpendRows } from './spendPresentation';

export interface SpendDependencies {
  readonly registry: Pick<SubmissionRegistry, 'all' | 'load' | 'onDidChange'>;
  readonly sessions: () => readonly SpentSession[];
}

/** Page with the spending of batches and sessions by day, connection, model, and file or agent. */
export class SpendPage implements vscode.Disposable {
  private readonly pages = new MarkdownPages<object>({
    viewType: 'managedAgents.spend',
    commands: ['managedAgents.spend.export'],
    isWide: true,
    title: () => vscode.l10n.t('Spend'),
    text: () => this.text(),
  });
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: SpendDependencies) {
    const drawing = new Throttle(() => this.pages.refresh(), 1000);
    this.subscriptions = vscode.Disposable.from(
      drawing,
      deps.registry.onDidChange(() => drawing.ask()),
      onDidChangeSettings(['managedAgents.estimate.prices', 'managedAgents.estimate.currency', 'managedAgents.spend.limit'], () =>
        drawing.ask(),
      ),
    );
  }

  async show(): Promise<void> {
    await this.pages.show({});
  }

  async restore(panel: vscode.WebviewPanel): Promise<void> {
    await this.pages.restore(panel, {});
  }

  async export(): Promise<void> {
    const { t } = vscode.l10n;
    await this.deps.registry.load();
    const file = await askWhere('spend.csv', t('Export Spend'));
    await writeFile(file, toSpendCsv(this.rows()), { mode: 0o600 });
    offerToOpen(t('Wrote {0}.', toLabel(path.basename(file), 80)), vscode.Uri.file(file));
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.pages.dispose();
  }

  private rows(): readonly SpendRow[] {
    return toSpendRows(toRuns(this.deps.registry.all()), this.deps.sessions(), readEstimateSettings());
  }

  private async text(): Promise<string> {
    const { registry } = this.deps;
    await registry.load();
    return toSpendPage(this.rows(), {
      ...{ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() },
      nameOf: toSourceNames(registry.all().map(({ source }) => source)),
      ...{ currency: readEstimateSettings().currency, limit: toSpendLimit(readSetting('managedAgents.spend.limit')) },
    });
  }
}
