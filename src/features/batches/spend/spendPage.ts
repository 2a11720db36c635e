import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { askWhere } from '../../../common/asking/newFile';
import { offerToOpen } from '../../../common/asking/notifications';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { Throttle } from '../../../common/lists/throttle';
import { OpenPanels } from '../../../common/panels/openPanels';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { toLabel } from '../../../shared/text';
import { type SubmissionRegistry, toRuns } from '../../ledger';
import { MarkdownPage } from '../details/markdownPage';
import { toSpendLimit } from '../spendLimit';
import { toSourceNames } from '../sourceNames';
import { toSpendCsv, toSpendPage } from './spendPresentation';
import { type SpendRow, type SpentSession, toSpendRows } from './spendRows';

const spendViewType = 'managedAgents.spend';

const pageCommands = ['managedAgents.spend.export'];

export interface SpendDependencies {
  readonly registry: Pick<SubmissionRegistry, 'all' | 'load' | 'onDidChange'>;
  readonly sessions: () => readonly SpentSession[];
}

/** Page with the spending of batches and sessions by day, connection, model, and file or agent. */
export class SpendPage implements vscode.Disposable {
  private readonly open = new OpenPanels<MarkdownPage<object>>();
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: SpendDependencies) {
    const draw = () => this.open.all.forEach(page => void page.draw().catch(() => undefined));
    const drawing = new Throttle(draw, 1000);
    this.subscriptions = vscode.Disposable.from(
      drawing,
      deps.registry.onDidChange(() => drawing.ask()),
      onDidChangeSettings(['managedAgents.estimate.prices', 'managedAgents.estimate.currency', 'managedAgents.spend.limit'], () =>
        drawing.ask(),
      ),
    );
  }

  async show(): Promise<void> {
    await this.open.show(spendViewType, () => this.create(undefined)).draw();
  }

  async restore(panel: vscode.WebviewPanel): Promise<void> {
    await this.open.restore(spendViewType, panel, () => this.create(panel))?.draw();
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
    this.open.dispose();
  }

  private rows(): readonly SpendRow[] {
    return toSpendRows(toRuns(this.deps.registry.all()), this.deps.sessions(), readEstimateSettings());
  }

  private create(panel: vscode.WebviewPanel | undefined): MarkdownPage<object> {
    return new MarkdownPage({
      ...{ panel, viewType: spendViewType, commands: pageCommands, state: {}, isWide: true },
      title: () => vscode.l10n.t('Spend'),
      text: () => this.text(),
    });
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
