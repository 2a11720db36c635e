import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/asking/progress';
import { readEstimateSettings } from '../../../common/estimateSettings';
import type { Log } from '../../../common/log';
import { describeError } from '../../../common/text/describeError';
import type { AskReference, RunReference } from '../../../contributions';
import { stampIfReadable } from '../../../jsonl/files/publishing';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { ResultsHistory } from '../../../jsonl/merging/resultsHistory';
import type { KnownValues } from '../../../jsonl/querying/completeQuery';
import type { JoinedResults } from '../../../jsonl/results/joinedResults';
import { changedResults, IndexMismatchError } from '../../../jsonl/results/resultsIndexFile';
import type { ResultEntry, ResultsReport } from '../../../jsonl/results/resultsReport';
import { answerText } from '../../../jsonl/results/resultWords';
import { hasForeignResults } from '../../../jsonl/scanning/fileKind';
import { parseExact, writeJson } from '../../../shared/exactJson';
import { readMaskedResult } from '../../../shared/maskedJson';
import type { ResultPair, ResultsHead } from '../../../shared/results/resultsProtocol';
import { askedFields, citationsOf, isAboutSession, transcriptOf } from '../../../shared/session/asking/sessionRequest';
import { readTranscriptHead } from '../../../shared/session/asking/transcriptText';
import { toLabel } from '../../../shared/text';
import { costOfReport, describeCost } from '../../batches/api';
import type { SubmissionRegistry } from '../../ledger';
import { readFirstLines, toHistoryWords } from '../../requests';
import type { ExportedResults } from '../exporting/exportRows';
import { besideFilesOf, findShown, type ShownResults } from '../shownResults';
import { longestParsed, toAnswerSide, toMissingRequest, tooLong, toRequestSide } from '../table/pairPresentation';
import type { AskedFields } from '../table/panelColumns';
import { OpenTable, ResultsTable, tableFolder, toRow } from '../table/resultsTable';
import { type HeadFacts, toHead } from './headPresentation';
import { type FoundRequest, SentRequests } from './sentRequest';

/** Results file of a batch that is unknown on this machine. The results are shown in file order, without source lines. */
export class UnknownResults {
  private readonly folder: string;

  constructor(
    readonly path: string,
    private readonly jobs: Pick<JsonlJobs, 'run'>,
    /** Storage folder of this extension. It contains derived files while the results are shown. */
    storage: string,
  ) {
    this.folder = tableFolder(storage, path);
  }

  get name(): string {
    return basename(this.path);
  }

  /** Reads the current file. Throws a `NotResultsError`, or a file system error if the file is missing. */
  async read(lifetime: AbortSignal): Promise<{ readonly joined: JoinedResults; readonly report: ResultsReport }> {
    await mkdir(this.folder, { recursive: true });
    const joined = { joinedPath: join(this.folder, 'table.jsonl'), indexPath: join(this.folder, 'table.index') };
    const title = vscode.l10n.t('Reading {0}', toLabel(this.name, 80));
    const isForeign = hasForeignResults(await readFirstLines(this.path));
    const rawPath = isForeign ? join(this.folder, 'converted.jsonl') : this.path;
    const { report } = await withProgress(title, lifetime, async (signal, reportProgress) => {
      if (isForeign) {
        await this.jobs.run('convertResults', { path: this.path, outPath: rawPath }, { signal });
      }
      return await this.jobs.run('joinResults', { rawPath, ...joined }, { signal, onProgress: toReport(reportProgress) });
    });
    return { joined, report };
  }

  async discard(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

interface OpenResultsDependencies {
  readonly registry: SubmissionRegistry;
  readonly jobs: JsonlJobs;
  readonly log: Log;
}

/** Results shown by one panel. Reloads them when the ledger has newer results. */
export class OpenResults extends OpenTable {
  readonly opened: Promise<void>;
  private readonly subscription: vscode.Disposable;
  shown: ShownResults | undefined;
  private reportNow: ResultsReport | undefined;
  private problem: HeadFacts['problem'];
  private requests: SentRequests | undefined;
  private history: ResultsHistory | undefined;
  /** Stamp of the loaded joined file. `undefined` if there was no file. */
  private stamp: string | undefined;
  /** Stamp of the file in which a read found data that doesn't match the index. */
  private damaged: string | undefined;

  constructor(
    private readonly deps: OpenResultsDependencies,
    /** Reference to the run whose results are shown, or a file of an unknown run. */
    private readonly origin: RunReference | UnknownResults,
  ) {
    super(deps.log);
    this.opened = this.loadFirst();
    this.subscription = deps.registry.onDidChange(() => {
      void this.reload();
    });
  }

  get head(): HeadFacts {
    const { shown, origin, problem, reportNow: report } = this;
    if (shown !== undefined) {
      const { run, name, results, runs } = shown;
      const batchIds = runs.flatMap(({ submissions }) => submissions.flatMap(({ batchId }) => batchId ?? []));
      const { fetchedAt, report: fetched } = results ?? {};
      const facts = { name, connection: run.connection, batchIds, parts: run.parts, fetchedAt, report: fetched };
      return { ...facts, problem: results === undefined ? 'notFetched' : problem };
    }
    const facts = { connection: undefined, batchIds: [], parts: 1, fetchedAt: undefined };
    return 'runId' in origin
      ? { ...facts, name: vscode.l10n.t('Unknown Batch'), report: undefined, problem: 'unknown' }
      : { ...facts, name: origin.name, report, problem, isUnknown: true };
  }

  describe(): { readonly head: ResultsHead; readonly title: string } {
    const { head, models } = this;
    const language = { translate: vscode.l10n.t, locale: vscode.env.language };
    const { prices, currency } = readEstimateSettings();
    const cost = costOfReport(head.report, models, prices);
    return {
      head: toHead(head, { ...language, cost: cost && describeCost(cost, { ...language, currency }) }),
      title: vscode.l10n.t('Results of {0}', head.name),
    };
  }

  get path(): string | undefined {
    return 'runId' in this.origin ? this.shown?.results?.filePath : this.origin.path;
  }

  get exported(): ExportedResults | undefined {
    const { table, reportNow, shown } = this;
    return table === undefined || reportNow === undefined
      ? undefined
      : {
          joined: table.joined,
          report: reportNow,
          source: shown?.run.source ?? vscode.Uri.file(this.path ?? '').toString(),
          submissions: shown?.submissions ?? [],
        };
  }

  get models(): readonly string[] {
    return [...new Set((this.shown?.submissions ?? []).flatMap(({ models = [] }) => models.map(([model]) => model)))];
  }

  /** Values in the rows shown so far. */
  get values(): KnownValues {
    return { stop: [...(this.table?.knownReasons ?? [])], model: this.models };
  }

  async check(error?: unknown): Promise<void> {
    if (error instanceof IndexMismatchError) {
      this.damaged = this.stamp;
    }
    await this.reload();
  }

  /** Returns the request of an entry. This is the sent version if the results include it, otherwise the current version in its file. */
  async request(entry: ResultEntry, line: string, signal: AbortSignal): Promise<Partial<FoundRequest> | undefined> {
    const sent = /"request":/.test(line) ? (parseExact(line) as { readonly request?: unknown }).request : undefined;
    const found = await this.requests?.find(entry, signal);
    return sent === undefined ? found : { ...found, params: writeJson(sent) };
  }

  whyNoRequest(): string {
    return this.requests?.whyNot() ?? vscode.l10n.t('The batch of these results is unknown on this machine.');
  }

  async pair(entry: ResultEntry, signal: AbortSignal): Promise<ResultPair> {
    const table = this.demandTable();
    const context = { translate: vscode.l10n.t, locale: vscode.env.language };
    const isLong = entry.length > longestParsed;
    const [line, [words = '']] = await Promise.all([isLong ? '' : table.index.read(entry), table.index.previews([entry])]);
    const request = await this.request(entry, line, signal);
    return {
      customId: entry.customId,
      row: toRow(entry, words),
      request:
        request?.params === undefined
          ? toMissingRequest(this.whyNoRequest())
          : toRequestSide(request.params, this.noticeOf(entry, request), context),
      answer: isLong ? tooLong(context) : toAnswerSide(line, context),
      history: (this.history?.of(entry.customId) ?? []).map(one => toHistoryWords(one, vscode.l10n.t)),
      canGoToLine: request?.line !== undefined,
      ...(!isLong && { citations: citedIn(line, request?.params).citations }),
    };
  }

  /** Returns the event that a citation of an answer refers to. Throws an error with a message for the user if there is no such event. */
  async citedEvent(entry: ResultEntry, index: number, signal: AbortSignal): Promise<AskReference> {
    const line = await this.line(entry);
    const { session, citations } = citedIn(line, (await this.request(entry, line, signal))?.params);
    const citation = citations[index];
    if (session === undefined || citation === undefined) {
      throw new Error(this.whyNoRequest());
    }
    return { connection: session.connection, sessionId: session.id, eventId: citation.eventId };
  }

  /** Returns the request file and the fields that it asks for in answers about sessions. `undefined` for other requests. */
  async asked(): Promise<AskedFields | undefined> {
    const source = this.shown && vscode.Uri.parse(this.shown.linesOf);
    if (source?.scheme !== 'file') {
      return undefined;
    }
    const first = await this.deps.jobs.run('findLine', { path: source.fsPath, wanted: { line: 0 } }, {}).catch(() => undefined);
    return first !== undefined && isAboutSession(first.text) ? { source: source.toString(), fields: askedFields(first.text) } : undefined;
  }

  override dispose(): void {
    this.subscription.dispose();
    super.dispose();
  }

  protected async discard(): Promise<void> {
    await ('runId' in this.origin ? undefined : this.origin.discard());
  }

  private noticeOf(entry: ResultEntry, { isSame, line, file }: Partial<FoundRequest>): string | undefined {
    const { t } = vscode.l10n;
    if (isSame === false) {
      return t('This request has changed since it was sent.');
    }
    // A request sent by a retry has its line in another file, so the lines can't be compared.
    const isCounted = file?.toString() === this.shown?.linesOf;
    return line !== undefined && isCounted && entry.line >= 0 && line !== entry.line
      ? t('Moved from line {0} to line {1}.', entry.line + 1, line + 1)
      : undefined;
  }

  private find(): ShownResults | undefined {
    return 'runId' in this.origin ? findShown(this.deps.registry, this.origin) : undefined;
  }

  /** Returns a stamp of the current file. `undefined` if there is no file. */
  private async stampOf(shown: ShownResults | undefined): Promise<string | undefined> {
    return await stampIfReadable('runId' in this.origin ? shown?.joined?.joinedPath : this.origin.path);
  }

  protected whyNoTable(): string {
    return vscode.l10n.t('The results file is missing or has changed. Fetch the results again.');
  }

  protected async hasChanged(): Promise<boolean> {
    const shown = this.find();
    const stamp = await this.stampOf(shown);
    const isDamaged = this.table !== undefined && stamp === this.damaged;
    const keyOf = (one: ShownResults | undefined) =>
      JSON.stringify([one?.joined, one?.results?.fetchedAt, one?.results?.report, one?.submissions.map(({ id }) => id)]);
    return isDamaged || stamp !== this.stamp || keyOf(shown) !== keyOf(this.shown);
  }

  protected async load(): Promise<void> {
    const { registry, jobs, log } = this.deps;
    await registry.load();
    const shown = this.find();
    const stamp = await this.stampOf(shown);
    let table: ResultsTable | undefined;
    let report = shown?.results?.report;
    let problem: HeadFacts['problem'];
    try {
      if (!('runId' in this.origin)) {
        const read = await this.origin.read(this.lifetime.signal);
        report = read.report;
        table = await ResultsTable.open(read.joined, report, jobs);
      } else if (shown?.joined !== undefined && report !== undefined) {
        if (stamp !== undefined && stamp === this.damaged) {
          throw changedResults(shown.joined.joinedPath);
        }
        table = await ResultsTable.open(shown.joined, report, jobs, besideFilesOf(shown.linesOf));
      }
    } catch (error) {
      log.warn(`The results of ${this.path ?? shown?.run.source ?? ''} cannot be shown: ${describeError(error)}`);
      problem = toProblem(error, !('runId' in this.origin));
    }
    const { joined, historyPath } = shown ?? {};
    const history =
      joined === undefined || historyPath === undefined ? undefined : await ResultsHistory.open(historyPath).catch(() => undefined);
    this.stamp = stamp;
    this.shown = shown;
    this.reportNow = report;
    this.table = table;
    this.problem = problem;
    this.history = history;
    this.requests = shown && new SentRequests({ registry, jobs }, shown);
  }
}

/** Returns the session of a request and the citations in its answer. The session is absent if the request isn't about a session. */
function citedIn(line: string, params: string | undefined) {
  const transcript = params === undefined ? '' : transcriptOf(params);
  const session = readTranscriptHead(transcript);
  const result = session && readMaskedResult(line);
  return { session, citations: result === undefined ? [] : citationsOf(answerText(result), transcript) };
}

function toProblem(error: unknown, isUnknown: boolean): HeadFacts['problem'] {
  if (error instanceof Error && error.name === 'NotResultsError') {
    return 'notResults';
  }
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : isUnknown ? 'unread' : 'changed';
}
