import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { lineOfDerivedId } from '../../../jsonl/files/derivedIds';
import type { IdTable } from '../../../jsonl/files/idTable';
import type { HistoryEntry } from '../../../jsonl/merging/resultsHistory';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { Submission } from '../../ledger';
import { type LineChange, UntouchedLines } from '../documents/lineChanges';
import { Slices } from '../documents/slices';
import { type Baseline, isChangedSince, originalOf, sentIdOf, toLineIds } from './answerPositions';
import { type AnswerRuns, isOfFile, keyOfResults, type ShownResults } from './answerRuns';
import { type FailingKind, type FailingLine, findFailing, findFailingLines } from './failingAnswers';

/** Document with answers at its lines. */
export interface AnsweredDocument {
  readonly lineCount: number;
  readonly version: number;
  lineAt(line: number): { readonly text: string };
}

interface Loaded {
  readonly shown: ShownResults;
  readonly key: string;
  readonly results: ReadableResults;
  readonly history: { of(id: string): readonly HistoryEntry[] } | undefined;
  /** Ids without a good result. Found on first use. */
  failing: Promise<ReadonlyMap<string, FailingKind>> | undefined;
  missing: ReadonlySet<string>;
}

/**
 * Fetched results of one open request file, matched to the lines of the current document. Work that grows with the number of lines runs in
 * slices of about 4 ms. The cost of a keystroke does not depend on the number of lines.
 */
export class FileAnswers {
  private loaded: Loaded | undefined;
  private baseline: Baseline | undefined;
  private pending: readonly { readonly submission: Submission; readonly sent: SentIds }[] = [];
  private readonly sent: SentContents;
  /** Request hashes, keyed by the state of their line. The state is a new object after each edit. */
  private readonly hashed = new WeakMap<object, { readonly hash: string | undefined }>();
  private failingLines:
    | { readonly version: number; readonly of: Loaded; readonly found: Promise<readonly FailingLine[] | undefined> }
    | undefined;

  constructor(
    private readonly document: AnsweredDocument,
    private readonly checker: () => DocumentChecker | undefined,
    private readonly files: AnswerFiles,
  ) {
    this.sent = new SentContents(files);
  }

  get shown(): ShownResults | undefined {
    return this.loaded?.shown;
  }

  get pendingSubmissions(): readonly Submission[] {
    return this.pending.map(({ submission }) => submission);
  }

  /**
   * Shows the current results. Does not reload those that are loaded. Returns whether anything changed. If the results can't be read,
   * rejects and shows none.
   */
  async update({ shown, pending }: AnswerRuns): Promise<boolean> {
    this.sent.retry();
    const isPendingNew = await this.updatePending(pending);
    if (shown === undefined) {
      const isNew = this.loaded !== undefined || isPendingNew;
      this.loaded = undefined;
      return isNew;
    }
    const key = keyOfResults(shown.results);
    if (this.loaded?.key === key) {
      this.loaded = { ...this.loaded, shown };
      return isPendingNew;
    }
    try {
      const [results, history] = await Promise.all([
        this.files.openResults(shown),
        shown.isMerged ? this.files.openHistory(shown).catch(() => undefined) : undefined,
      ]);
      const missing = shown.results.report.missing.count === 0 ? new Set<string>() : new Set(results.missingIds());
      this.loaded = { shown, key, results, history, failing: undefined, missing };
      return true;
    } catch (error) {
      this.loaded = undefined;
      throw error;
    }
  }

  private async updatePending(pending: readonly Submission[]): Promise<boolean> {
    const before = this.pending;
    const found = await Promise.all(pending.map(async submission => ({ submission, sent: await this.sent.idsOf(submission) })));
    this.pending = found.flatMap(({ submission, sent }) => (sent === undefined ? [] : [{ submission, sent }]));
    return before.length !== this.pending.length || before.some(({ submission }, at) => this.pending[at]?.submission !== submission);
  }

  /** Drops results that can no longer be read. */
  forget(): void {
    this.loaded = undefined;
  }

  /** Hashes of the versions of the file to compare the document with. */
  get versions(): ReadonlySet<string> {
    const runs = this.loaded?.shown.runs ?? [];
    return new Set([...this.pending.map(({ submission }) => submission.sha256), ...runs.map(({ lead }) => lead.sha256)]);
  }

  /** Records that the document has exactly the bytes with this hash, and tracks later edits. */
  vouch(sha256: string): void {
    this.baseline = { sha256, lines: new UntouchedLines(this.document.lineCount) };
    this.failingLines = undefined;
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
   * Returns the answers of some lines, by line. `undefined` if the document or the results changed meanwhile. The caller is notified of
   * that change and calls again.
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
      if (this.document.version !== version || this.loaded?.key !== loaded?.key) {
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

  private findAnswer(line: number): LineAnswer | undefined | Promise<LineAnswer | undefined> {
    const shownId = this.shownIdAt(line);
    const entry = shownId === undefined ? undefined : this.loaded?.results.entryOfId(shownId);
    const isMissing = shownId !== undefined && this.loaded?.missing.has(shownId) === true;
    const waiting = this.pendingAt(line);
    const sent =
      shownId !== undefined && (entry !== undefined || isMissing)
        ? { id: shownId, submissions: this.submissionsOf(shownId) }
        : waiting && { id: waiting.id, submissions: [waiting.submission] };
    if (sent === undefined) {
      return undefined;
    }
    const { id, submissions } = sent;
    const answer = (isChanged: boolean) => ({ id, entry, isMissing, pending: waiting?.submission, isChanged });
    return this.isSurelySame(line, submissions) ? answer(false) : this.isChanged(line, id, submissions).then(answer);
  }

  /**
   * Returns the submissions that may have sent this file's version of the request. The answer itself may come from another file, such as
   * that of a retry.
   */
  private submissionsOf(id: string): readonly Submission[] {
    const { shown, history } = this.loaded ?? {};
    const runs = shown?.runs ?? [];
    const generations = history?.of(id) ?? [];
    const merged = generations.find(({ isMerged }) => isMerged) ?? generations.at(-1);
    const run = merged === undefined ? undefined : runs[merged.generation];
    const ofFile = runs.filter(one => isOfFile(one, shown?.source));
    const sent = run !== undefined && ofFile.includes(run) ? [run] : ofFile.length === 0 ? runs : ofFile;
    return [...sent].reverse().flatMap(({ submissions }) => submissions);
  }

  private isSurelySame(line: number, submissions: readonly Submission[]): boolean {
    return submissions.length > 0 && submissions.every(({ sha256 }) => originalOf(line, this.baseline, sha256) !== undefined);
  }

  private async isChanged(line: number, id: string, submissions: readonly Submission[]): Promise<boolean> {
    const submission = await this.sent.submissionWith(id, submissions);
    if (submission === undefined) {
      return false;
    }
    const hashes = await this.sent.hashesOf(submission);
    return isChangedSince(line, this.baseline, submission.sha256, { sent: hashes?.hashOf(id), now: () => this.hashNow(line) });
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
    return checker && sentIdOf(line, toLineIds(checker), this.baseline, sha256);
  }

  historyOf(id: string): readonly HistoryEntry[] {
    return this.loaded?.history?.of(id) ?? [];
  }

  /** Returns the lines without a good result, ascending. `undefined` if the document or the results changed meanwhile. */
  async failing(): Promise<readonly FailingLine[] | undefined> {
    const { loaded } = this;
    const checker = this.checker();
    if (loaded === undefined || checker === undefined) {
      return [];
    }
    const { version } = this.document;
    if (this.failingLines?.version !== version || this.failingLines.of.key !== loaded.key) {
      loaded.failing ??= findFailing(loaded.results);
      const found = loaded.failing.then(kinds => this.findLines(kinds, checker, loaded.key, version));
      this.failingLines = { version, of: loaded, found };
    }
    const asked = this.failingLines;
    const found = await asked.found;
    if (found === undefined && this.failingLines === asked) {
      this.failingLines = undefined;
    }
    return found;
  }

  private async findLines(
    kinds: ReadonlyMap<string, FailingKind>,
    checker: DocumentChecker,
    key: string,
    version: number,
  ): Promise<readonly FailingLine[] | undefined> {
    const ids = toLineIds(checker);
    const sha256 = this.loaded?.shown.sourceSha256;
    return await findFailingLines(kinds, this.document, {
      idOf: line => sentIdOf(line, ids, this.baseline, sha256),
      isStill: () => this.document.version === version && this.loaded?.key === key && this.checker() === checker,
    });
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
    const sha256 = this.loaded?.shown.sourceSha256;
    for (let at = 0; at < this.document.lineCount; at++) {
      if (this.idAt(at, sha256) === id) {
        return at;
      }
    }
    return undefined;
  }

  async previews(entries: readonly ResultEntry[]): Promise<readonly string[]> {
    return (await this.loaded?.results.previews(entries)) ?? entries.map(() => '');
  }

  async read(entry: ResultEntry): Promise<string | undefined> {
    return await this.loaded?.results.read(entry);
  }
}

/** Ids and hashes of the requests of submissions. Each is opened once; one that did not exist can be retried. */
class SentContents {
  private readonly sent = new Map<string, Promise<SentIds | undefined>>();
  private readonly hashes = new Map<string, Promise<SentHashes | undefined>>();
  private readonly missing: (() => void)[] = [];

  constructor(private readonly files: Pick<AnswerFiles, 'openSent' | 'openHashes'>) {}

  /** Allows another attempt for contents that did not exist. */
  retry(): void {
    for (const forget of this.missing.splice(0)) {
      forget();
    }
  }

  idsOf(submission: Submission): Promise<SentIds | undefined> {
    return this.once(this.sent, submission, () => this.files.openSent(submission));
  }

  hashesOf(submission: Submission): Promise<SentHashes | undefined> {
    return this.once(this.hashes, submission, () => this.files.openHashes(submission));
  }

  /** Returns the submission that sent a request with this id. A single submission is returned without a check. */
  async submissionWith(id: string, submissions: readonly Submission[]): Promise<Submission | undefined> {
    if (submissions.length < 2) {
      return submissions[0];
    }
    for (const submission of submissions) {
      if (((await this.idsOf(submission))?.findText(id) ?? -1) >= 0) {
        return submission;
      }
    }
    return undefined;
  }

  private once<T>(cached: Map<string, Promise<T | undefined>>, { id }: Submission, open: () => Promise<T>): Promise<T | undefined> {
    let found = cached.get(id);
    if (found === undefined) {
      found = open().catch(() => {
        this.missing.push(() => cached.delete(id));
        return undefined;
      });
      cached.set(id, found);
    }
    return found;
  }
}

/** Answer to the request on one line of the current document. */
export interface LineAnswer {
  /** Id under which the request was sent. */
  readonly id: string;
  readonly entry: ResultEntry | undefined;
  /** True if the request was sent, but the fetched results don't have it. */
  readonly isMissing: boolean;
  /** Submission of the request whose results are not fetched yet. */
  readonly pending: Submission | undefined;
  /** True if the request differs from the one that `entry` answers or, without an entry, from the sent one. */
  readonly isChanged: boolean;
}

/** Readable results, such as a `ResultsIndex`. */
export interface ReadableResults {
  entryOfId(id: string): ResultEntry | undefined;
  entries(): Iterable<ResultEntry>;
  missingIds(): Iterable<string>;
  previews(entries: readonly ResultEntry[]): Promise<readonly string[]>;
  read(entry: ResultEntry): Promise<string>;
}

/** Ids of the requests of one submission. */
type SentIds = Pick<IdTable, 'findText'>;

/** Hashes of the requests of one submission, as they were sent. */
export interface SentHashes {
  hashOf(id: string): string | undefined;
}

/** Reads stored submissions and results. Each method rejects if the data doesn't exist. */
export interface AnswerFiles {
  openResults(shown: ShownResults): Promise<ReadableResults>;
  openHistory(shown: ShownResults): Promise<{ of(id: string): readonly HistoryEntry[] }>;
  openSent(submission: Submission): Promise<SentIds>;
  openHashes(submission: Submission): Promise<SentHashes>;
  /** Returns the hash of a request, comparable with `SentHashes`; `undefined` if the line is not a request. */
  hashRequest(text: string): string | undefined;
}
