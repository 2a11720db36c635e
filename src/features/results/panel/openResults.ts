import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../common/emitter';
import type { Log } from '../../../common/log';
import { describeError } from '../../../common/text/describeError';
import { expectationsNameOf } from '../../../jsonl/expecting/expectationsName';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { type HistoryEntry, ResultsHistory } from '../../../jsonl/merging/resultsHistory';
import type { KnownValues } from '../../../jsonl/querying/completeQuery';
import type { ResultsSurvey } from '../../../jsonl/querying/queryingJobs';
import { changedResults, IndexMismatchError } from '../../../jsonl/results/resultsIndexFile';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { ResultPair } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import type { SubmissionRegistry } from '../../ledger';
import type { HeadFacts } from './headPresentation';
import { longestParsed, toAnswerSide, toMissingRequest, tooLong, toRequestSide } from './pairPresentation';
import { ResultsTable, toRow } from './resultsTable';
import { type FoundRequest, SentRequests } from './sentRequest';
import { findShown, type ShownResults, toHeadFacts } from './shownResults';

export interface OpenResultsDependencies {
  readonly registry: SubmissionRegistry;
  readonly jobs: JsonlJobs;
  readonly log: Log;
}

/** The results that one panel shows: opened, and opened anew when the ledger has others. */
export class OpenResults implements vscode.Disposable {
  private readonly changed = new Emitter<void>();
  /** The results, or what is known of them, are others than before. */
  readonly onDidChange = this.changed.event;
  /** Settles when they were looked for once. */
  readonly opened: Promise<void>;
  private readonly subscription: vscode.Disposable;
  private shownNow: ShownResults | undefined;
  private tableNow: ResultsTable | undefined;
  private problem: HeadFacts['problem'];
  private requests: SentRequests | undefined;
  private history: ResultsHistory | undefined;
  /** Which joined file was looked at; undefined when there was none. */
  private stamp: string | undefined;
  /** The one of which something was read that is not what its index says. */
  private damaged: string | undefined;
  private loading: Promise<void>;
  private isDisposed = false;

  constructor(
    private readonly deps: OpenResultsDependencies,
    private readonly runId: string,
  ) {
    this.opened = this.load();
    this.loading = this.opened.catch(() => undefined);
    this.subscription = deps.registry.onDidChange(() => {
      void this.reload();
    });
  }

  get shown(): ShownResults | undefined {
    return this.shownNow;
  }

  /** Undefined while there is nothing to show. */
  get table(): ResultsTable | undefined {
    return this.tableNow;
  }

  get head(): HeadFacts {
    return this.shownNow === undefined
      ? {
          ...{ name: vscode.l10n.t('Unknown Batch'), connection: undefined, batchIds: [], parts: 1, generations: 1 },
          ...{ fetchedAt: undefined, report: undefined, problem: 'unknown' },
        }
      : toHeadFacts(this.shownNow, this.problem);
  }

  /** Models that the requests named. */
  get models(): readonly string[] {
    return [...new Set((this.shownNow?.submissions ?? []).flatMap(({ models = [] }) => models.map(([model]) => model)))];
  }

  /** Values that occur, as far as they were seen. */
  get values(): KnownValues {
    return { stop: [...(this.tableNow?.seenReasons ?? [])], model: this.models };
  }

  /** Looks whether the results are still those that were opened, because of an `error` or because somebody looks at them again. */
  async check(error?: unknown): Promise<void> {
    if (error instanceof IndexMismatchError) {
      this.damaged = this.stamp;
    }
    await this.reload();
  }

  async survey(query: string, signal: AbortSignal): Promise<ResultsSurvey> {
    return await this.demandTable().survey(query, { signal });
  }

  /** The joined line of an entry. */
  async line(entry: ResultEntry): Promise<string> {
    return await this.demandTable().index.read(entry);
  }

  /** The request of an entry as it was sent, when the results hold it, else as it stands in its file. */
  async request(entry: ResultEntry, line: string, signal: AbortSignal): Promise<Partial<FoundRequest> | undefined> {
    const sent = /"request":/.test(line) ? sentIn(line) : undefined;
    const found = await this.requests?.find(entry, signal);
    return sent === undefined ? found : { ...found, params: sent };
  }

  whyNoRequest(): string {
    return this.requests?.whyNot() ?? vscode.l10n.t('The batch of these results is not known on this machine.');
  }

  /** A request and its answer as the panel shows them. */
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
      answer: isLong ? tooLong(entry.length, context) : toAnswerSide(line, context),
      history: (this.history?.of(entry.customId) ?? []).map(toHistoryWords),
      canGoToLine: request?.line !== undefined,
    };
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscription.dispose();
    this.changed.dispose();
  }

  private noticeOf(entry: ResultEntry, { isSame, line, file }: Partial<FoundRequest>): string | undefined {
    const { t } = vscode.l10n;
    if (isSame === false) {
      return t('This request was changed since it was sent: the answer is to what it said then.');
    }
    // What a retry sent stands in a file of its own, on lines of its own.
    const isCounted = file?.toString() === this.shown?.linesOf;
    return line !== undefined && isCounted && entry.line >= 0 && line !== entry.line
      ? t('It was on line {0} when it was sent and is on line {1} now.', entry.line + 1, line + 1)
      : undefined;
  }

  private demandTable(): ResultsTable {
    if (this.tableNow === undefined) {
      throw new Error(vscode.l10n.t('The results are not there any more. Fetch them again.'));
    }
    return this.tableNow;
  }

  /** One load at a time; the next one sees what was written meanwhile. */
  private async reload(): Promise<void> {
    this.loading = this.loading
      .then(() => this.loadChanged())
      .catch(error => this.deps.log.warn(`What is known of results could not be read: ${describeError(error)}`));
    await this.loading;
  }

  private async loadChanged(): Promise<void> {
    if (this.isDisposed) {
      return;
    }
    const shown = await findShown(this.deps.registry, this.runId);
    const stamp = await stampOf(shown);
    const isDamaged = this.tableNow !== undefined && stamp === this.damaged;
    const of = (one: ShownResults | undefined) =>
      JSON.stringify([one?.joined, one?.results?.fetchedAt, one?.results?.report, one?.submissions.map(({ id }) => id)]);
    if (isDamaged || stamp !== this.stamp || of(shown) !== of(this.shownNow)) {
      await this.load();
      this.changed.fire();
    }
  }

  private async load(): Promise<void> {
    const { registry, jobs, log } = this.deps;
    await registry.load();
    const shown = await findShown(registry, this.runId);
    const stamp = await stampOf(shown);
    let table: ResultsTable | undefined;
    let problem: HeadFacts['problem'];
    let history: ResultsHistory | undefined;
    if (shown?.joined !== undefined && shown.results !== undefined) {
      try {
        if (stamp !== undefined && stamp === this.damaged) {
          throw changedResults(shown.joined.joinedPath);
        }
        table = await ResultsTable.open(shown.joined, shown.results.report, jobs, expectationsPathOf(shown));
      } catch (error) {
        log.warn(`The results of ${shown.run.source} cannot be shown: ${describeError(error)}`);
        problem = toProblem(error);
      }
      history = shown.historyPath === undefined ? undefined : await ResultsHistory.open(shown.historyPath).catch(() => undefined);
    }
    this.stamp = stamp;
    this.shownNow = shown;
    this.tableNow = table;
    this.problem = problem;
    this.history = history;
    this.requests = shown && new SentRequests({ registry, jobs }, shown);
  }
}

/** Where the expectations of results are, beside the file whose lines they count. */
function expectationsPathOf({ linesOf }: ShownResults): string | undefined {
  const { scheme, fsPath } = vscode.Uri.parse(linesOf);
  return scheme === 'file' ? path.join(path.dirname(fsPath), expectationsNameOf(path.basename(fsPath))) : undefined;
}

/** By what a joined file is told from the one that takes its name later; undefined when there is none. */
async function stampOf(shown: ShownResults | undefined): Promise<string | undefined> {
  const found = shown?.joined && (await stat(shown.joined.joinedPath).catch(() => undefined));
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
}

function toProblem(error: unknown): HeadFacts['problem'] {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'changed';
}

/** `params` that stand in a joined line, when results were fetched with their requests. */
function sentIn(line: string): string | undefined {
  const { request } = JSON.parse(line) as { readonly request?: unknown };
  return request === undefined ? undefined : JSON.stringify(request);
}

function toHistoryWords({ generation, state, reason, isKept, words: said }: HistoryEntry): string {
  const { t } = vscode.l10n;
  const words = reason === undefined ? state : `${state}, ${toLabel(reason, 60)}`;
  if (said === 'other') {
    return t('Run {0}: {1} (to other words than were sent last)', generation + 1, words);
  }
  if (said === 'unknown') {
    return t('Run {0}: {1} (what it said then is not known any more)', generation + 1, words);
  }
  return isKept ? t('Run {0}: {1} (shown)', generation + 1, words) : t('Run {0}: {1}', generation + 1, words);
}
