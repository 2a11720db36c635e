import * as vscode from 'vscode';
import { activeUri } from '../../common/asking/activeUri';
import { chooseFile } from '../../common/asking/chooseFile';
import type { ReadonlyDocuments } from '../../common/documents/readonlyDocuments';
import { fileNameOf } from '../../common/files/fileNameOf';
import { OpenPanels } from '../../common/panels/openPanels';
import { ResultsIndex } from '../../jsonl/results/resultsIndex';
import { fileKindOf } from '../../jsonl/scanning/fileKind';
import { resultsStateSchema } from '../../shared/results/fromResultsSchema';
import type { MenuAct, ShownState } from '../../shared/results/resultsProtocol';
import { toLabel } from '../../shared/text';
import { type BatchesDependencies, loadRunChoice } from '../batches';
import type { Connections } from '../connection';
import { finalResultsOf, pathsOf, resultsOf, type SubmissionRegistry, toRuns } from '../ledger';
import { loadLinkCopying } from '../links';
import { type RuleSettings, readFirstLines } from '../requests';
import { OpenResults, UnknownResults } from './panel/openResults';
import { type ActsContext, createActs } from './panel/panelActs';
import { OpenRequests } from './requests/openRequests';
import type { ResultsTarget } from './shownResults';
import { PanelColumns } from './table/panelColumns';
import { ResultsPanel, type ResultsPanelOptions, type Shown } from './table/resultsPanel';

/** Open panels: one for each run, and one for each file of an unknown run. */
export class ResultsPanels implements vscode.Disposable {
  private readonly panels = new OpenPanels<ResultsPanel>();

  constructor(
    private readonly deps: ResultsDependencies & Pick<ActsContext, 'compareShown'>,
    private readonly documents: ReadonlyDocuments,
  ) {}

  /** Shows the panel of a run or file, creating it if needed, and reveals the requested row or query in it. */
  show(state: ShownState, wanted: Shown): void {
    this.panels.show(keyOf(state), () => this.create(state, undefined)).reveal(wanted);
  }

  act(act: MenuAct): void {
    this.panels.all.find(({ panel }) => panel.active)?.act(act);
  }

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
    return { results, acts, columns };
  }

  private partsOfRequests(path: string): TableParts {
    const { jobs, log, context, connections, rules } = this.deps;
    const results = new OpenRequests({ jobs, log, connections, rules, storage: this.storage }, path);
    return { results, acts: host => results.acts(host.signal), columns: new PanelColumns(context.workspaceState, results, 'requests') };
  }

  private get storage(): string {
    const { storageUri, globalStorageUri } = this.deps.context;
    return (storageUri ?? globalStorageUri).fsPath;
  }
}

type TableParts = Pick<ResultsPanelOptions, 'results' | 'acts' | 'columns'>;

/** Returns the key of a panel. The key is empty if the panel shows nothing. */
function keyOf({ runId, withRetries, file, requests }: ShownState): string {
  if (requests !== undefined) {
    return `requests ${requests}`;
  }
  return file === undefined ? `${runId ?? ''}${withRetries === true ? ' with retries' : ''}` : `file ${file}`;
}

/** Copies a link to one result, through the first batch of its run. Throws an error with a message for the user if no batch is known. */
export async function copyResultLink(connections: Connections, { shown }: Pick<OpenResults, 'shown'>, customId: string): Promise<void> {
  const id = shown?.run.submissions.find(({ batchId }) => batchId !== undefined)?.batchId;
  if (shown === undefined || id === undefined) {
    throw new Error(vscode.l10n.t('The batch of these results is unknown on this machine.'));
  }
  await (await loadLinkCopying()).copyLinks(connections, shown.run.connection, [{ kind: 'batch', id, customId }]);
}

/** Shows results in a table. With an id, opens that request and its answer. With a query, shows only matching rows. */
export async function showResults(
  { registry, panels }: { readonly registry: SubmissionRegistry; readonly panels: ResultsPanels },
  target: ResultsTarget,
  shown: Shown = {},
): Promise<void> {
  const { customId, query } = { customId: textOf(shown.customId), query: textOf(shown.query) };
  // Without a target, use the active file if it contains results.
  const file = target ?? activeUri();
  if (file !== undefined && 'fsPath' in file && (await isUnknownFile(registry, file))) {
    panels.show({ file: file.fsPath }, { customId, query });
    return;
  }
  const { chooseResults } = await loadRunChoice();
  const { run, withRetries } = await chooseResults(registry, target, vscode.l10n.t('Select a batch'));
  panels.show({ runId: run.id, ...(withRetries && { withRetries }) }, { customId, query });
}

/** Shows the requests of a file in a table, whether or not they have been sent. Without a file, uses the active file or asks the user. */
export async function showRequests(panels: ResultsPanels, target: vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const file = await chooseFile(target, { question: t('Select a request file to show'), openLabel: t('Show as Table') });
  if (file.scheme !== 'file') {
    throw new Error(t('Save {0} first, because the table reads the saved file.', toLabel(fileNameOf(file), 80)));
  }
  panels.show({ requests: file.fsPath }, {});
}

/** Returns whether a file contains results that don't match any run on this machine. */
async function isUnknownFile(registry: SubmissionRegistry, { scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== 'file') {
    return false;
  }
  await registry.reload();
  const runs = toRuns(registry.all());
  const known = runs
    .flatMap(run => [finalResultsOf(runs, run) ?? [], resultsOf(run) ?? []].flat())
    .find(results => results.filePath === fsPath);
  // The user may have changed the file.
  const isKnown = known !== undefined && (await ResultsIndex.fits(pathsOf(registry, known).indexPath, fsPath));
  return !isKnown && fileKindOf(await readFirstLines(fsPath).catch(() => [])) === 'results';
}

/** Returns the argument if it is text. VS Code menus pass other arguments. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export type ResultsDependencies = Pick<BatchesDependencies, 'context' | 'commands' | 'log' | 'connections' | 'jobs' | 'registry'> & {
  readonly rules: RuleSettings;
};
