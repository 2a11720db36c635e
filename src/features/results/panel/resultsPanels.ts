import * as vscode from 'vscode';
import { createShowError } from '../../../common/asking/showError';
import { isCancellation } from '../../../common/cancellation';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { webviewOptions } from '../../../common/documents/webviewHtml';
import { readEstimateSettings } from '../../../common/estimateSettings';
import type { MenuAct, ShownState } from '../../../shared/results/resultsProtocol';
import { costOfReport, describeCost } from '../../batches/api';
import { copyResultLink } from '../exporting/copyResultLink';
import { OpenRequests } from '../requests/openRequests';
import { createRequestActs } from '../requests/requestActs';
import { toRequestsHead } from '../requests/requestsHead';
import type { ResultsDependencies } from '../resultsDependencies';
import { resultsStateSchema } from './fromResultsSchema';
import { toHead } from './headPresentation';
import { OpenResults } from './openResults';
import { type ActsContext, createActs } from './panelActs';
import { PanelColumns } from './panelColumns';
import { ResultsPanel } from './resultsPanel';
import type { ResultsPanelOptions, Shown } from './resultsPanelOptions';
import { resultsViewType } from './resultsViewType';
import { UnknownResults } from './unknownResults';

/** Open panels: one per run, and one per file of an unknown run. */
export class ResultsPanels implements vscode.Disposable {
  private readonly open = new Map<string, ResultsPanel>();
  private readonly showError: (error: unknown) => Promise<void>;

  constructor(
    private readonly deps: ResultsDependencies & Pick<ActsContext, 'compareShown'>,
    private readonly documents: ReadonlyDocuments,
  ) {
    this.showError = createShowError(deps.log);
  }

  /** Shows the panel of a run or file, creating it if needed, and reveals what is wanted in it. */
  show(state: ShownState, wanted: Shown): void {
    let shown = this.open.get(keyOf(state));
    if (shown === undefined) {
      const title = state.requests === undefined ? vscode.l10n.t('Results') : vscode.l10n.t('Requests');
      const panel = vscode.window.createWebviewPanel(resultsViewType, title, vscode.ViewColumn.Active, this.panelOptions());
      shown = this.create(panel, state);
    } else {
      shown.panel.reveal();
    }
    shown.reveal(wanted);
  }

  /** Runs an action of a row's context menu in the active panel. */
  act(act: MenuAct): void {
    [...this.open.values()].find(({ panel }) => panel.active)?.act(act);
  }

  /** Restores a panel after a window reload. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const wanted = resultsStateSchema.catch({}).parse(state);
    if (keyOf(wanted) === '' || this.open.has(keyOf(wanted))) {
      panel.dispose();
      return;
    }
    panel.webview.options = webviewOptions(this.deps.context.extensionUri);
    this.create(panel, wanted);
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

  private create(panel: vscode.WebviewPanel, state: ShownState): ResultsPanel {
    const { log, context } = this.deps;
    const lifetime = new AbortController();
    const parts =
      state.requests === undefined ? this.partsOfResults(panel, state, lifetime) : this.partsOfRequests(state.requests, lifetime);
    const shown = new ResultsPanel({
      ...{ panel, extension: context.extensionUri, state, ...parts },
      onError: error => {
        if (!isCancellation(error)) {
          void this.showError(error);
        }
      },
      warn: message => log.warn(message),
    });
    const key = keyOf(state);
    this.open.set(key, shown);
    panel.onDidDispose(() => {
      lifetime.abort();
      if (this.open.get(key) === shown) {
        this.open.delete(key);
      }
    });
    return shown;
  }

  private partsOfResults(
    panel: vscode.WebviewPanel,
    { runId = '', withRetries = false, file }: ShownState,
    lifetime: AbortController,
  ): TableParts {
    const { registry, jobs, log, context, connections, compareShown } = this.deps;
    const results = new OpenResults(
      { registry, jobs, log },
      file === undefined ? { runId, withRetries } : new UnknownResults(file, jobs, this.storage),
    );
    const acts = createActs({
      ...{ results, documents: this.documents, jobs, registry, log, compareShown, lifetime: lifetime.signal },
      copyLink: customId => copyResultLink(connections, results, customId),
      column: () => panel.viewColumn,
    });
    const describe = () => ({
      head: toHead(results.head, { translate: vscode.l10n.t, locale: vscode.env.language, cost: costWords(results) }),
      title: vscode.l10n.t('Results of {0}', results.head.name),
    });
    return { results, acts, describe, columns: new PanelColumns(context.workspaceState, results) };
  }

  private partsOfRequests(path: string, lifetime: AbortController): TableParts {
    const { jobs, log, context, connections, rules } = this.deps;
    const results = new OpenRequests({ jobs, log, connections, rules, storage: this.storage }, path);
    const acts = createRequestActs({ requests: results, jobs, lifetime: lifetime.signal });
    const describe = () => ({
      head: toRequestsHead(results.facts, vscode.l10n.t),
      title: vscode.l10n.t('Requests of {0}', results.name),
    });
    return { results, acts, describe, columns: new PanelColumns(context.workspaceState, results, 'requests') };
  }

  private get storage(): string {
    const { storageUri, globalStorageUri } = this.deps.context;
    return (storageUri ?? globalStorageUri).fsPath;
  }
}

type TableParts = Pick<ResultsPanelOptions, 'results' | 'acts' | 'describe' | 'columns'>;

/** Formats the cost of a panel's results, by the current prices. */
function costWords({ head, models }: OpenResults): string | undefined {
  const { prices, currency } = readEstimateSettings();
  const cost = head.report && costOfReport(head.report, models, prices);
  return cost && describeCost(cost, { translate: vscode.l10n.t, locale: vscode.env.language, currency });
}

/** Returns the key of a panel. Empty if it shows nothing. */
function keyOf({ runId, withRetries, file, requests }: ShownState): string {
  if (requests !== undefined) {
    return `requests ${requests}`;
  }
  return file === undefined ? `${runId ?? ''}${withRetries === true ? ' with retries' : ''}` : `file ${file}`;
}
