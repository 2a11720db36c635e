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
import type { Translate } from '../../../common/text/translate';
import { type Problem, severityOrder } from '../../../contract/problem';
import { contractLimits } from '../../../jsonl/checking/batchRules';
import { checkRequestLine } from '../../../jsonl/checking/requestRules';
import { stampIfReadable } from '../../../jsonl/files/publishing';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { KnownValues } from '../../../jsonl/querying/completeQuery';
import { IndexMismatchError } from '../../../jsonl/results/resultsIndexFile';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { isJson, membersOf } from '../../../jsonl/scanning/jsonMembers';
import type { RequestIndexReport } from '../../../jsonl/tabling/indexRequests';
import type { HeadAct, PairAct, PairPart, QueryChip, ResultPair, ResultsHead } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import type { Connections } from '../../connection';
import type { RuleSettings } from '../../requests';
import { type CopiedColumns, copyTableRows, pathForSelected, reportWritten } from '../exporting/exportRows';
import { toRequestDocument, toRequestSide } from '../table/pairPresentation';
import type { PanelActs } from '../table/resultsPanel';
import { keyOf, OpenTable, ResultsTable, tableFolder, toRequestRow } from '../table/resultsTable';

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

/** Facts about the requests that a panel shows. */
type RequestsFacts = Pick<OpenRequests, 'name' | 'relativePath' | 'report' | 'problem' | 'isDirty'>;

/** Returns the header of a table of requests: file, problems, and next actions. */
export function toRequestsHead({ name, relativePath, report, problem, isDirty }: RequestsFacts, t: Translate): ResultsHead {
  const isReady = problem === undefined && report !== undefined;
  const { withErrors = 0, withWarnings = 0 } = report ?? {};
  const isForeign = isReady && hasNoRequests(report);
  return {
    subject: 'requests',
    title: toLabel(name, 120),
    facts: [...(relativePath === name ? [] : [toLabel(relativePath, 120)]), ...(isForeign ? [t('No requests')] : [])],
    chips: report === undefined ? [] : toChips(report, t),
    notices: [
      ...(isDirty && isReady
        ? [{ tone: 'plain' as const, text: t('The table shows the saved version.'), act: { label: t('Save'), act: 'save' as const } }]
        : []),
      ...(problem === 'gone' ? [{ tone: 'error' as const, text: t('File not found.') }] : []),
      ...(problem === 'unread' ? [{ tone: 'error' as const, text: t("Couldn't read the file. See the log.") }] : []),
    ],
    isReady,
    acts: isForeign
      ? ['openRequests']
      : isReady
        ? ['createBatch', ...(withErrors + withWarnings > 0 ? (['fix'] as const) : []), 'openRequests']
        : [],
  };
}

function toChips({ rows, withErrors, withWarnings, columns }: RequestIndexReport, t: Translate): readonly QueryChip[] {
  const withoutProblem = columns.find(({ name }) => name === 'problem')?.of.reduce((sum, value) => sum + (value === 0 ? 1 : 0), 0) ?? 0;
  return [
    { label: t('All'), query: '', count: rows },
    ...[
      { label: t('With problems'), query: 'problem=any', count: rows - withoutProblem },
      { label: t('Errors'), query: 'severity=error', count: withErrors },
      { label: t('Warnings'), query: 'severity=warning', count: withWarnings },
      { label: t('No problems'), query: 'problem=none', count: withoutProblem },
    ].filter(({ count }) => count > 0),
  ];
}

/** Returns whether the file has lines but no line is a request. */
function hasNoRequests({ rows, withErrors, columns }: RequestIndexReport): boolean {
  const found = columns.find(({ name }) => name === 'problem')?.values.slice(1) ?? [];
  return rows > 0 && withErrors === rows && found.length > 0 && found.every(rules => rules === 'not-a-request' || rules === 'json-syntax');
}

/** Returns a request and its problems for display. `problems` has those of the line, `rules` all rules that report one. */
export function toRequestPair(
  line: string,
  problems: readonly Problem[],
  rules: readonly string[],
  context: { readonly translate: Translate; readonly locale: string },
): Pick<ResultPair, 'request' | 'answer' | 'history' | 'canGoToLine'> {
  const { translate: t } = context;
  const worstFirst = [...problems].sort((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity));
  const problemParts = worstFirst.map(
    ({ rule, text }): PairPart => ({
      form: 'plain',
      title: rule,
      text: t(text.template, ...text.args.map(value => (typeof value === 'string' ? toLabel(value, 200) : value))),
    }),
  );
  const known = new Set(problems.map(({ rule }) => rule));
  const others = rules
    .filter(rule => !known.has(rule))
    .map((rule): PairPart => ({ form: 'plain', title: rule, text: t('Found when checking the whole file.') }));
  const parts = [...problemParts, ...others];
  return {
    request: toRequestSide(paramsOrLine(line) ?? line, undefined, context),
    answer: { facts: [], parts, isCut: false, ...(parts.length === 0 && { notice: t('No problems') }) },
    history: [],
    canGoToLine: true,
  };
}

/** Returns `params` as JSON text, or the whole line if the line is bare params. `undefined` if the line is not a JSON object. */
function paramsOrLine(line: string): string | undefined {
  const text = line.trim();
  return text.startsWith('{') && isJson(text) ? (membersOf(text).get('params') ?? text) : undefined;
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
