import * as vscode from 'vscode';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { OpenPanels } from '../../../common/panels/openPanels';
import { readEstimateSettings } from '../../../common/estimateSettings';
import type { MenuAct, ShownState } from '../../../shared/results/resultsProtocol';
import { costOfReport, describeCost } from '../../batches/api';
import { copyResultLink } from '../exporting/copyResultLink';
import { OpenRequests } from '../requests/openRequests';
import { createRequestActs } from '../requests/requestActs';
import { toRequestsHead } from '../requests/requestsHead';
import type { ResultsDependencies } from '../resultsDependencies';
import { resultsStateSchema } from '../../../shared/results/fromResultsSchema';
import { toHead } from './headPresentation';
import { OpenResults } from './openResults';
import { type ActsContext, createActs } from './panelActs';
import { PanelColumns } from './panelColumns';
import { ResultsPanel } from './resultsPanel';
import type { ResultsPanelOptions, Shown } from './resultsPanelOptions';
import { UnknownResults } from './unknownResults';

/** Open panels: one per run, and one per file of an unknown run. */
export class ResultsPanels implements vscode.Disposable {
  private readonly panels = new OpenPanels<ResultsPanel>();

  constructor(
    private readonly deps: ResultsDependencies & Pick<ActsContext, 'compareShown'>,
    private readonly documents: ReadonlyDocuments,
  ) {}

  /** Shows the panel of a run or file, creating it if needed, and reveals what is wanted in it. */
  show(state: ShownState, wanted: Shown): void {
    this.panels.show(keyOf(state), () => this.create(state, undefined)).reveal(wanted);
  }

  /** Runs an action of a row's context menu in the active panel. */
  act(act: MenuAct): void {
    this.panels.all.find(({ panel }) => panel.active)?.act(act);
  }

  /** Restores a panel after a window reload. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const wanted = resultsStateSchema.catch({}).parse(state);
    this.panels.restore(keyOf(wanted), panel, () => this.create(wanted, panel));
  }

  dispose(): void {
    this.panels.dispose();
  }

  private create(state: ShownState, panel: vscode.WebviewPanel | undefined): ResultsPanel {
    const { log, context } = this.deps;
    const parts = state.requests === undefined ? this.partsOfResults(state) : this.partsOfRequests(state.requests);
    return new ResultsPanel({ panel, extension: context.extensionUri, log, state, ...parts });
  }

  private partsOfResults({ runId = '', withRetries = false, file }: ShownState): TableParts {
    const { registry, jobs, log, context, connections, compareShown } = this.deps;
    const results = new OpenResults(
      { registry, jobs, log },
      file === undefined ? { runId, withRetries } : new UnknownResults(file, jobs, this.storage),
    );
    const columns = new PanelColumns(context.workspaceState, results);
    const acts: TableParts['acts'] = host =>
      createActs({
        ...{ connections, showColumn: name => columns.add(name) },
        ...{ results, documents: this.documents, jobs, registry, log, compareShown, lifetime: host.signal },
        copyLink: customId => copyResultLink(connections, results, customId),
        column: () => host.column,
      });
    const describe = () => ({
      head: toHead(results.head, { translate: vscode.l10n.t, locale: vscode.env.language, cost: costWords(results) }),
      title: vscode.l10n.t('Results of {0}', results.head.name),
    });
    return { results, acts, describe, columns };
  }

  private partsOfRequests(path: string): TableParts {
    const { jobs, log, context, connections, rules } = this.deps;
    const results = new OpenRequests({ jobs, log, connections, rules, storage: this.storage }, path);
    const acts: TableParts['acts'] = host => createRequestActs({ requests: results, jobs, lifetime: host.signal });
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
