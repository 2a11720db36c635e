import path from 'node:path';
import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { lineOfDerivedId } from '../../../jsonl/files/derivedIds';
import type { IdTable } from '../../../jsonl/files/idTable';
import type { HistoryEntry } from '../../../jsonl/merging/resultsHistory';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { Submission } from '../../ledger';
import { type Baseline, type LineChange, originalOf, sentIdOf, UntouchedLines } from '../documents/lineChanges';
import { Slices } from '../documents/slices';
import { type AnswerParts, toAnswerParts } from './answerParts';
import { type AnswerResults, type AnswerRuns, isOfFile, keyOfResults } from './answerRuns';
import { type AnswerFiles, type FailingKind, type FailingLine, findFailing, type ReadableResults } from './submissionAnswerFiles';

interface AnsweredDocument {
  readonly lineCount: number;
  readonly version: number;
  lineAt(line: number): { readonly text: string };
}

interface Loaded {
  shown: AnswerResults;
  readonly key: string;
  readonly results: ReadableResults;
  readonly history: { of(id: string): readonly HistoryEntry[] } | undefined;
  /** Ids without a good result, found on first use. */
  failing: Promise<ReadonlyMap<string, FailingKind>> | undefined;
  readonly missing: ReadonlySet<string>;
}

/** Lines without a good result in one version of the document. `lines` is `undefined` if the document or the results changed meanwhile. */
interface FailingLines {
  readonly version: number;
  readonly loaded: Loaded;
  readonly checker: DocumentChecker;
  readonly lines: Promise<readonly FailingLine[] | undefined>;
}

/**
 * Fetched results of one open request file, matched to the lines of the current document. Work that grows with the number of lines runs in
 * slices of about 4 ms. The cost of a keystroke does not depend on the number of lines.
 */
export class FileAnswers {
  private loaded: Loaded | undefined;
  private baseline: Baseline | undefined;
  private pending: readonly { readonly submission: Submission; readonly sent: Pick<IdTable, 'findText'> }[] = [];
  /** Request hashes, keyed by the state of their line. The state is a new object after each edit. */
  private readonly hashed = new WeakMap<object, { readonly hash: string | undefined }>();
  private failingLines: FailingLines | undefined;

  constructor(
    private readonly document: AnsweredDocument,
    private readonly checker: () => DocumentChecker | undefined,
    private readonly files: AnswerFiles,
    /** Called when the results were dropped because their joined file was replaced or deleted. */
    private readonly reportLoss: (error: unknown) => void,
  ) {}

  get shown(): AnswerResults | undefined {
    return this.loaded?.shown;
  }

  get pendingSubmissions(): readonly Submission[] {
    return this.pending.map(({ submission }) => submission);
  }

  /**
   * Shows the current results. Loaded results are not loaded again. Returns whether anything changed. If the results can't be read, shows
   * none and rejects.
   */
  async update({ shown, pending }: AnswerRuns): Promise<boolean> {
    this.files.retry();
    const isPendingNew = await this.updatePending(pending);
    if (shown !== undefined && this.loaded?.key === keyOfResults(shown.results)) {
      this.loaded.shown = shown;
      return isPendingNew;
    }
    const isNew = shown !== this.loaded?.shown;
    try {
      this.loaded = shown && (await this.open(shown));
    } catch (error) {
      this.loaded = undefined;
      throw error;
    }
    return isNew || isPendingNew;
  }

  private async open(shown: AnswerResults): Promise<Loaded> {
    const [results, history] = await Promise.all([
      this.files.openResults(shown),
      shown.isMerged ? this.files.openHistory(shown).catch(() => undefined) : undefined,
    ]);
    const missing = new Set(shown.results.report.missing.count === 0 ? [] : results.missingIds());
    return { shown, key: keyOfResults(shown.results), results, history, failing: undefined, missing };
  }

  private async updatePending(pending: readonly Submission[]): Promise<boolean> {
    const before = this.pending;
    const found = await Promise.all(pending.map(async submission => ({ submission, sent: await this.files.idsOf(submission) })));
    this.pending = found.flatMap(({ submission, sent }) => (sent === undefined ? [] : [{ submission, sent }]));
    return before.length !== this.pending.length || before.some(({ submission }, at) => this.pending[at]?.submission !== submission);
  }

  /** Hashes of the sent versions to compare the document with. */
  get versions(): ReadonlySet<string> {
    const runs = this.loaded?.shown.runs ?? [];
    return new Set([...this.pending.map(({ submission }) => submission.sha256), ...runs.map(({ lead }) => lead.sha256)]);
  }

  /** Records that the document has exactly the bytes with this hash, and tracks later edits. */
  vouch(sha256: string): void {
    this.baseline = { sha256, lines: new UntouchedLines(this.document.lineCount) };
    this.failingLines = undefined;
  }

  /** Computes and stores the request hashes of the submissions with this file hash. Call it before the file changes. */
  async keepHashes(sha256: string): Promise<void> {
    this.files.retry();
    const submissions = [...(this.loaded?.shown.runs ?? []).flatMap(run => run.submissions), ...this.pendingSubmissions];
    for (const submission of submissions.filter(other => other.sha256 === sha256)) {
      await this.files.hashesOf(submission);
    }
  }

  /** Applies the changes of one event. `undefined` means that every line may have changed. */
  change(changes: readonly LineChange[] | undefined): void {
    this.baseline?.lines.change(changes);
  }

  entryAt(line: number): ResultEntry | undefined {
    const id = this.shownIdAt(line);
    return id === undefined ? undefined : this.loaded?.results.entryOfId(id);
  }

  private shownIdAt(line: number): string | undefined {
    return this.loaded && this.idAt(line, this.loaded.shown.sourceSha256);
  }

  /**
   * Returns the answers of some lines, by line. `undefined` if the document or the results changed meanwhile. The change also notifies the
   * caller, so that the caller calls this again.
   */
  async answersAt(lines: Iterable<number>): Promise<ReadonlyMap<number, LineAnswer> | undefined> {
    const { version } = this.document;
    const { loaded } = this;
    const slices = new Slices();
    const found = new Map<number, LineAnswer>();
    for (const line of lines) {
      const answer = await this.findAnswer(line);
      if (slices.isOver) {
        await slices.pause();
      }
      if (this.document.version !== version || this.loaded !== loaded) {
        return undefined;
      }
      if (answer !== undefined) {
        found.set(line, answer);
      }
    }
    return found;
  }

  /** Returns the answer of one line, as `answersAt` does. */
  async answerAt(line: number): Promise<LineAnswer | undefined> {
    return (await this.answersAt([line]))?.get(line);
  }

  private async findAnswer(line: number): Promise<LineAnswer | undefined> {
    const shownId = this.shownIdAt(line);
    const entry = shownId === undefined ? undefined : this.loaded?.results.entryOfId(shownId);
    const isMissing = shownId !== undefined && this.loaded?.missing.has(shownId) === true;
    const waiting = this.pendingAt(line);
    const isAnswered = entry !== undefined || isMissing;
    const id = isAnswered ? shownId : waiting?.id;
    if (id === undefined) {
      return undefined;
    }
    const submissions = isAnswered ? this.submissionsOf(id) : waiting === undefined ? [] : [waiting.submission];
    return { id, entry, isMissing, pending: waiting?.submission, isChanged: await this.isChanged(line, id, submissions) };
  }

  /**
   * Returns the submissions that may have sent the request from a version of this file. The answer itself may belong to another file, such
   * as the file of a retry.
   */
  private submissionsOf(id: string): readonly Submission[] {
    const { shown } = this.loaded ?? {};
    const runs = shown?.runs ?? [];
    const generations = this.historyOf(id);
    const merged = generations.find(({ isMerged }) => isMerged) ?? generations.at(-1);
    const run = merged === undefined ? undefined : runs[merged.generation];
    const ofFile = runs.filter(one => isOfFile(one, shown?.source));
    const sent = run !== undefined && ofFile.includes(run) ? [run] : ofFile.length === 0 ? runs : ofFile;
    return [...sent].reverse().flatMap(({ submissions }) => submissions);
  }

  /**
   * Returns whether a request differs from the request that one of the submissions sent. A line is unchanged if it was not edited since a
   * known version. Other lines are compared by hash. Without hashes, an edited line counts as changed.
   */
  private async isChanged(line: number, id: string, submissions: readonly Submission[]): Promise<boolean> {
    const isUntouched = ({ sha256 }: Submission) => originalOf(line, this.baseline, sha256) !== undefined;
    if (submissions.every(isUntouched)) {
      return false;
    }
    const submission = await this.submissionWith(id, submissions);
    if (submission === undefined || isUntouched(submission)) {
      return false;
    }
    const sent = (await this.files.hashesOf(submission))?.hashOf(id);
    return sent === undefined ? this.baseline?.sha256 === submission.sha256 : this.hashNow(line) !== sent;
  }

  /** Returns the submission that sent a request with this id. If there is only one submission, returns it without a check. */
  private async submissionWith(id: string, submissions: readonly Submission[]): Promise<Submission | undefined> {
    if (submissions.length < 2) {
      return submissions[0];
    }
    for (const submission of submissions) {
      if (((await this.files.idsOf(submission))?.findText(id) ?? -1) >= 0) {
        return submission;
      }
    }
    return undefined;
  }

  private hashNow(line: number): string | undefined {
    const state = this.checker()?.lineInfo(line);
    if (state === undefined || line >= this.document.lineCount) {
      return undefined;
    }
    let found = this.hashed.get(state);
    if (found === undefined) {
      found = { hash: this.files.hashRequest(this.document.lineAt(line).text) };
      this.hashed.set(state, found);
    }
    return found.hash;
  }

  private pendingAt(line: number): { readonly id: string; readonly submission: Submission } | undefined {
    for (const { submission, sent } of this.pending) {
      const id = this.idAt(line, submission.sha256);
      if (id !== undefined && sent.findText(id) >= 0) {
        return { id, submission };
      }
    }
    return undefined;
  }

  private idAt(line: number, sha256: string | undefined): string | undefined {
    const checker = this.checker();
    return checker && sentIdOf(line, checker, this.baseline, sha256);
  }

  private historyOf(id: string): readonly HistoryEntry[] {
    return this.loaded?.history?.of(id) ?? [];
  }

  /** Returns the lines without a good result, ascending. `undefined` if the document or the results changed meanwhile. */
  async failing(): Promise<readonly FailingLine[] | undefined> {
    const { loaded } = this;
    const checker = this.checker();
    const { version } = this.document;
    if (loaded === undefined || checker === undefined) {
      return [];
    }
    let known = this.failingLines;
    if (known?.version !== version || known.loaded !== loaded || known.checker !== checker) {
      known = { version, loaded, checker, lines: this.findFailingLines(loaded, checker, version) };
      this.failingLines = known;
    }
    return await known.lines;
  }

  private async findFailingLines(loaded: Loaded, checker: DocumentChecker, version: number): Promise<readonly FailingLine[] | undefined> {
    loaded.failing ??= findFailing(loaded.results);
    const kinds = await loaded.failing;
    const found: FailingLine[] = [];
    const slices = new Slices();
    for (let line = 0; kinds.size > 0 && line < this.document.lineCount; line++) {
      if (this.document.version !== version || this.loaded !== loaded || this.checker() !== checker) {
        return undefined;
      }
      const kind = kinds.get(this.shownIdAt(line) ?? '');
      if (kind !== undefined) {
        found.push({ line, kind });
      }
      if (slices.isDue) {
        await slices.pause();
      }
    }
    return found;
  }

  /** Returns the current line of the request that was sent under an id. */
  lineOf(id: string): number | undefined {
    const checker = this.checker();
    const line = checker?.lineOfId(id);
    if (line !== undefined && checker?.lineInfo(line)?.customId === id) {
      return line;
    }
    if (checker === undefined || lineOfDerivedId(id) === undefined) {
      return undefined;
    }
    for (let at = 0; at < this.document.lineCount; at++) {
      if (this.shownIdAt(at) === id) {
        return at;
      }
    }
    return undefined;
  }

  /** Returns the first words of each answer. */
  async previews(entries: readonly ResultEntry[]): Promise<readonly string[]> {
    return (await this.tryReading(results => results.previews(entries))) ?? entries.map(() => '');
  }

  /** Returns an answer and its origin. `undefined` if the results no longer exist. */
  async read(entry: ResultEntry): Promise<ReadAnswer | undefined> {
    const { shown } = this;
    const line = await this.tryReading(results => results.read(entry));
    if (shown === undefined || line === undefined) {
      return undefined;
    }
    const history = this.historyOf(entry.customId);
    const merged = history.find(({ isMerged }) => isMerged)?.generation;
    const run = shown.runs[merged ?? shown.runs.length - 1];
    const origin = {
      connection: run?.connection ?? '',
      batchIds: (run?.submissions ?? []).flatMap(({ batchId }) => batchId ?? []),
      joinedName: path.basename(shown.results.filePath),
      history,
    };
    return { parts: toAnswerParts(line), origin };
  }

  private async tryReading<T>(read: (results: ReadableResults) => Promise<T>): Promise<T | undefined> {
    const { loaded } = this;
    try {
      return loaded && (await read(loaded.results));
    } catch (error) {
      if (this.loaded === loaded) {
        this.loaded = undefined;
        this.reportLoss(error);
      }
      return undefined;
    }
  }
}

/** Answer to the request on one line of the current document. */
export interface LineAnswer {
  /** Id under which the request was sent. */
  readonly id: string;
  readonly entry: ResultEntry | undefined;
  /** True if the request was sent, but the fetched results don't have it. */
  readonly isMissing: boolean;
  /** Newer submission of the request without fetched results. */
  readonly pending: Submission | undefined;
  /** True if the request differs from the request that `entry` answers. Without `entry`, compares with the sent request. */
  readonly isChanged: boolean;
}

interface AnswerOrigin {
  readonly connection: string;
  readonly batchIds: readonly string[];
  /** File name of the joined results. */
  readonly joinedName: string;
  /** History of the request in merged results, oldest run first. */
  readonly history: readonly HistoryEntry[];
}

/** Answer with its origin. Parts that could not be read are `undefined`. */
export interface ReadAnswer {
  readonly parts: AnswerParts;
  readonly origin: AnswerOrigin;
}
