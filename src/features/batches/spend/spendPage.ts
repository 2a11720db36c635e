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
import { toSourceNames } from '../sourceNames';
import { toSpendLimit } from '../spendLimit';
import { type SpentSession, toSpendCsv, toSpendPage, toSpendRows } from './spendPresentation';

interface SpendDependencies {
  readonly registry: Pick<SubmissionRegistry, 'all' | 'load' | 'onDidChange'>;
  readonly sessions: () => readonly SpentSession[];
}

/** Creates the page with the spending of batches and sessions by day, connection, model, and file or agent. */
export function createSpendPage({ registry, sessions }: SpendDependencies) {
  const rows = async () => {
    await registry.load();
    return toSpendRows(toRuns(registry.all()), sessions(), readEstimateSettings());
  };
  const text = async () =>
    toSpendPage(await rows(), {
      ...{ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() },
      nameOf: toSourceNames(registry.all().map(({ source }) => source)),
      ...{ currency: readEstimateSettings().currency, limit: toSpendLimit(readSetting('managedAgents.spend.limit')) },
    });
  const commands = ['managedAgents.spend.export'];
  const title = () => vscode.l10n.t('Spend');
  const pages = new MarkdownPages<object>({ viewType: 'managedAgents.spend', commands, isWide: true, title, text });
  const drawing = new Throttle(() => pages.refresh(), 1000);
  const subscriptions = vscode.Disposable.from(
    pages,
    drawing,
    registry.onDidChange(() => drawing.ask()),
    onDidChangeSettings(['managedAgents.estimate.prices', 'managedAgents.estimate.currency', 'managedAgents.spend.limit'], () =>
      drawing.ask(),
    ),
  );
  return {
    show: () => pages.show({}),
    restore: (panel: vscode.WebviewPanel) => pages.restore(panel, {}),
    export: async () => {
      const file = await askWhere('spend.csv', vscode.l10n.t('Export Spend'));
      await writeFile(file, toSpendCsv(await rows()), { mode: 0o600 });
      offerToOpen(vscode.l10n.t('Wrote {0}.', toLabel(path.basename(file), 80)), vscode.Uri.file(file));
    },
    dispose: () => subscriptions.dispose(),
  };
}
