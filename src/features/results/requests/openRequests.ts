import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import { copyText } from '../../../common/copyIds';
import { combine } from '../../../common/disposables';
import { openWhereShown } from '../../../common/documents/tabs';
import type { Log } from '../../../common/log';
import { describeError } from '../../../common/text/describeError';
import { contractLimits } from '../../../jsonl/checking/batchRules';
import { checkRequestLine } from '../../../jsonl/checking/requestRules';
import { stampIfReadable } from '../../../jsonl/files/publishing';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { KnownValues } from '../../../jsonl/querying/completeQuery';
import { IndexMismatchError } from '../../../jsonl/results/resultsIndexFile';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { RequestIndexReport } from '../../../jsonl/tabling/indexRequests';
import type { HeadAct, PairAct, ResultPair, ResultsHead } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import type { Connections } from '../../connection';
import type { RuleSettings } from '../../requests';
import { type CopiedColumns, copyTableRows, pathForSelected, reportWritten } from '../exporting/exportRows';
import { toRequestDocument } from '../table/pairPresentation';
import type { PanelActs } from '../table/resultsPanel';
import { keyOf, OpenTable, ResultsTable, tableFolder, toRequestRow } from '../table/resultsTable';
import { paramsOrLine, toRequestPair, toRequestsHead } from './requestsPresentation';

async function actOnFile(uri: vscode.Uri, act: HeadAct): Promise<void> {
  const acts: Readonly<Partial<Record<HeadAct, () => PromiseLike<unknown>>>> = {
    createBatch: () => runCommand('managedAgents.batch.create', uri),
    fix: () => runCommand('managedAgents.file.fix', uri),
    openRequests: () => vscode.commands.executeCommand('vscode.open', uri),
    save: () => vscode.workspace.save(uri),
  };
  await acts[act]?.();
}

async function actOnRequest(requests: OpenRequests, entry: ResultEntry, act: PairAct): Promise<void> {
  const { uri } = requests;
  switch (act) {
    case 'openInEditor':
      return await runCommand('managedAgents.request.edit', uri, entry.line);
    case 'goToLine':
      return await openWhereShown(uri, vscode.ViewColumn.Beside, new vscode.Range(entry.line, 0, entry.line, 0));
    case 'copyId':
      return await copyText(entry.customId);
    case 'copyRequest': {
      const line = await requests.line(entry);
      const params = paramsOrLine(line);
      return await copyText(params === undefined ? line : toRequestDocument(params));
    }
    default:
      return;
  }
}

function requestColumns({ columns }: Pick<ResultsTable, 'columns'>): CopiedColumns {
  const valueIn = (name: 'model' | 'problem', { row }: ResultEntry): string => {
    const column = columns.get(name);
    return column?.values[column.of[row] ?? 0] ?? '';
  };
  return {
    names: ['line', 'custom_id', 'model', 'problems', 'input_tokens_estimated', 'max_tokens', 'first_words'],
    toValues: (entry, words) => {
      const { line, customId, inputTokens, outputTokens } = entry;
      return [line + 1, customId, valueIn('model', entry), valueIn('problem', entry), inputTokens, outputTokens, words];
    },
  };
}

interface OpenRequestsDependencies {
  readonly jobs: JsonlJobs;
  readonly log: Log;
  readonly connections: Pick<Connections, 'current'>;
  readonly rules: Pick<RuleSettings, 'options' | 'onDidChange'>;
  /** Storage folder of this extension. It contains the index of the file while the file is shown. */
  readonly storage: string;
}

/** Requests of a file shown by one panel. A worker thread reads them, and reads them again when the file or the rules change. */
export class OpenRequests extends OpenTable {
  readonly opened: Promise<void>;
  readonly uri: vscode.Uri;
  private readonly folder: string;
  private readonly subscriptions: vscode.Disposable;
  report: RequestIndexReport | undefined;
  /** Reason why there is no table to show. */
  problem: 'gone' | 'unread' | undefined;
  /** True if an editor has unsaved changes of the file. */
  isDirty: boolean;
  private stamp: string | undefined;

  constructor(
    private readonly deps: OpenRequestsDependencies,
    readonly path: string,
  ) {
    super(deps.log);
    this.uri = vscode.Uri.file(path);
    this.folder = tableFolder(deps.storage, `requests ${path}`);
    this.isDirty = this.document?.isDirty ?? false;
    this.opened = this.loadFirst();
    this.subscriptions = combine(
      vscode.workspace.onDidSaveTextDocument(document => this.onDocument(document, () => this.check())),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.onDocument(document, () => this.noteDirty())),
      vscode.workspace.onDidCloseTextDocument(document => this.onDocument(document, () => this.noteDirty())),
      deps.rules.onDidChange(() => void this.reload(true)),
    );
  }

  get name(): string {
    return basename(this.path);
  }

  get relativePath(): string {
    return vscode.workspace.asRelativePath(this.uri);
  }

  describe(): { readonly head: ResultsHead; readonly title: string } {
    return { head: toRequestsHead(this, vscode.l10n.t), title: vscode.l10n.t('Requests of {0}', this.name) };
  }

  get values(): KnownValues {
    const valuesOf = (name: string): readonly string[] => this.report?.columns.find(column => column.name === name)?.values.slice(1) ?? [];
    const rules = new Set(valuesOf('problem').flatMap(value => value.split(', ')));
    return { model: valuesOf('model'), problem: [...rules] };
  }

  async check(error?: unknown): Promise<void> {
    await this.reload(error instanceof IndexMismatchError);
  }

  async pair(entry: ResultEntry): Promise<ResultPair> {
    const table = this.demandTable();
    const [line, [words = '']] = await Promise.all([table.index.read(entry), table.index.previews([entry])]);
    const { problems } = checkRequestLine(line, entry.line, this.deps.rules.options(this.uri));
    const column = table.columns.get('problem');
    const rules = (column?.values[column.of[entry.row] ?? 0] ?? '').split(', ').filter(rule => rule !== '');
    const context = { translate: vscode.l10n.t, locale: vscode.env.language };
    return { customId: keyOf(entry), row: toRequestRow(entry, words), ...toRequestPair(line, problems, rules, context) };
  }

  /** Returns the actions on the rows. `lifetime` is aborted when the panel is closed. */
  acts(lifetime: AbortSignal): PanelActs {
    const { path, uri, deps } = this;
    return {
      rows: async (arrangement, { ranges, act }) => {
        const { table } = this;
        if (table === undefined || act === 'expect' || act === 'saveResults') {
          return;
        }
        const rows = table.rowsOf(arrangement, ranges);
        if (act !== 'saveRequests') {
          return await copyTableRows(table, rows, act, requestColumns(table), lifetime);
        }
        const outPath = await pathForSelected(uri);
        const source = { path, indexPath: table.joined.indexPath, rows, outPath };
        const { written } = await withProgress(vscode.l10n.t('Writing requests'), lifetime, (signal, reportProgress) =>
          deps.jobs.run('writeRows', source, { signal, onProgress: toReport(reportProgress) }),
        );
        reportWritten(outPath, written);
      },
      pair: async (arrangement, { place, act }) => {
        const entry = this.table?.entryAt(arrangement, place);
        await (entry && actOnRequest(this, entry, act));
      },
      act: ({ act }) => actOnFile(uri, act),
    };
  }

  override dispose(): void {
    this.subscriptions.dispose();
    super.dispose();
  }

  protected async discard(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private get document(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === this.uri.toString());
  }

  private onDocument({ uri }: vscode.TextDocument, act: () => Promise<void> | undefined): void {
    if (uri.toString() === this.uri.toString()) {
      void act();
    }
  }

  private noteDirty(): undefined {
    const isDirty = this.document?.isDirty ?? false;
    if (isDirty !== this.isDirty) {
      this.isDirty = isDirty;
      this.changed.fire();
    }
  }

  protected whyNoTable(): string {
    return vscode.l10n.t('File not found: {0}', toLabel(this.path, 200));
  }

  protected async hasChanged(): Promise<boolean> {
    return (await stampIfReadable(this.path)) !== this.stamp;
  }

  protected async load(): Promise<void> {
    const { jobs, connections, rules, log } = this.deps;
    const indexPath = join(this.folder, 'table.index');
    const terms = { limits: connections.current?.limits ?? contractLimits, rules: rules.options(this.uri) };
    this.isDirty = this.document?.isDirty ?? false;
    this.stamp = await stampIfReadable(this.path);
    try {
      await mkdir(this.folder, { recursive: true });
      const title = vscode.l10n.t('Reading {0}', toLabel(this.name, 80));
      const report = await withProgress(title, this.lifetime.signal, (signal, reportProgress) =>
        jobs.run('indexRequests', { path: this.path, indexPath, terms }, { signal, onProgress: toReport(reportProgress) }),
      );
      this.table = await ResultsTable.open({ joinedPath: this.path, indexPath }, report, jobs, {}, report.columns);
      this.report = report;
      this.problem = undefined;
    } catch (error) {
      log.warn(`The requests of ${this.path} cannot be shown: ${describeError(error)}`);
      this.table = undefined;
      this.problem = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'unread';
    }
  }
}
