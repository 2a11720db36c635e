import * as vscode from 'vscode';
import { createShowError } from '../../../common/asking/showError';
import { isCancellation } from '../../../common/cancellation';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { webviewOptions } from '../../../common/documents/webviewHtml';
import type { RowAct } from '../../../shared/results/resultsProtocol';
import type { ResultsDependencies } from '../index';
import { resultsStateSchema } from './fromResultsSchema';
import { OpenResults } from './openResults';
import { type ActsContext, createActs } from './panelActs';
import { PanelColumns } from './panelColumns';
import { ResultsPanel } from './resultsPanel';
import type { Shown } from './resultsPanelOptions';
import { resultsViewType } from './resultsViewType';

/** The open panels, one for each run. */
export class ResultsPanels implements vscode.Disposable {
  private readonly open = new Map<string, ResultsPanel>();
  private readonly showError: (error: unknown) => Promise<void>;

  constructor(
    private readonly deps: ResultsDependencies & Pick<ActsContext, 'exportShown' | 'compareShown'>,
    private readonly documents: ReadonlyDocuments,
  ) {
    this.showError = createShowError(deps.log);
  }

  /** Shows the panel of a run, made when there is none, and of it what is wanted. */
  show(runId: string, wanted: Shown): void {
    let shown = this.open.get(runId);
    if (shown === undefined) {
      const title = vscode.l10n.t('Results');
      const panel = vscode.window.createWebviewPanel(resultsViewType, title, vscode.ViewColumn.Active, this.panelOptions());
      shown = this.create(panel, runId);
    } else {
      shown.panel.reveal();
    }
    shown.reveal(wanted);
  }

  /** Does what was chosen in the menu of a row: the panel of that row is the active one. */
  act(act: RowAct): void {
    [...this.open.values()].find(({ panel }) => panel.active)?.act(act);
  }

  /** Brings a panel back after the window was reloaded. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const { runId } = resultsStateSchema.catch({}).parse(state);
    if (runId === undefined || this.open.has(runId)) {
      panel.dispose();
      return;
    }
    panel.webview.options = webviewOptions(this.deps.context.extensionUri);
    this.create(panel, runId);
  }

  dispose(): void {
    for (const panel of [...this.open.values()]) {
      panel.dispose();
    }
    this.open.clear();
  }

  private panelOptions(): vscode.WebviewOptions & vscode.WebviewPanelOptions {
    return { ...webviewOptions(this.deps.context.extensionUri), retainContextWhenHidden: false, enableFindWidget: false };
  }

  private create(panel: vscode.WebviewPanel, runId: string): ResultsPanel {
    const { registry, jobs, log, context, exportShown, compareShown } = this.deps;
    const lifetime = new AbortController();
    const results = new OpenResults({ registry, jobs, log }, runId);
    const columns = new PanelColumns(context.workspaceState, results);
    const acts = createActs({
      ...{ results, documents: this.documents, jobs, registry, log, exportShown, compareShown, lifetime: lifetime.signal },
      column: () => panel.viewColumn,
    });
    const shown = new ResultsPanel({
      ...{ panel, extension: context.extensionUri, runId, results, columns, acts },
      onError: error => {
        if (!isCancellation(error)) {
          void this.showError(error);
        }
      },
      warn: message => log.warn(message),
    });
    this.open.set(runId, shown);
    panel.onDidDispose(() => {
      lifetime.abort();
      if (this.open.get(runId) === shown) {
        this.open.delete(runId);
      }
    });
    return shown;
  }
}
