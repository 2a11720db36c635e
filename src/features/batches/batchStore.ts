import type { MessageBatch } from '../../client/resources/messageBatches';
import { isSame, MemoizedList } from '../../common/lists/memoizedList';
import { PagedList } from '../../common/lists/pagedList';
import { describeError } from '../../common/text/describeError';
import type { ContextKeys } from '../../contributions';
import {
  generationsOf,
  groupBy,
  type Run,
  type RunResults,
  resultsOf,
  resultsOfSource,
  type Submission,
  type SubmissionRegistry,
  toRuns,
} from '../ledger';
import { hasRest, isTrial, partsOf, type RunPart, type RunRow, rowOfForeign } from './runRow';
import { type NameOfSource, namesAmong } from './sourceNames';

export const pageSize = 20;

/** A request file with several runs. */
export interface FileRow {
  readonly kind: 'file';
  /** URI string. */
  readonly source: string;
  readonly name: string;
  /** Newest first. */
  readonly runs: readonly RunRow[];
  readonly results: RunResults | undefined;
}

interface MoreRow {
  readonly kind: 'more';
  readonly problem: string | undefined;
}

/** Group of the listed batches that were not created on this machine. */
export interface OthersRow {
  readonly kind: 'others';
  readonly below: readonly (RunRow | MoreRow)[];
  readonly count: number;
  /** True if the view has no other rows. */
  readonly isAlone: boolean;
}

type RootRow = FileRow | RunRow | OthersRow;
export type BatchRow = RootRow | MoreRow;

/** Runs of this machine on one connection, and the listed batches of that connection. If a listing fails, the rows stay. */
export class BatchStore extends PagedList<MessageBatch> {
  private readonly latest = new MemoizedList<RootRow>();
  /** Rows with their inputs, keyed by file, run or batch. An unchanged row stays the same object. */
  private cache = new Map<string, { readonly inputs: readonly unknown[]; readonly row: BatchRow }>();

  constructor(private readonly registry: Pick<SubmissionRegistry, 'all' | 'findByBatch'>) {
    super();
  }

  /** State of the last listing. Always `filled` if there are rows. */
  override get state(): ContextKeys['managedAgents.batchesState'] {
    return this.rows().length > 0 ? 'filled' : super.state;
  }

  get nameOf(): NameOfSource {
    return namesAmong(this.registry.all());
  }

  get isUnsupported(): boolean {
    return super.state === 'unsupported';
  }

  /**
   * Returns the request files with their runs, followed by the other batches. Files with an unknown run come first, then the newest.
   * Includes runs of other connections that are being sent or unknown, and damaged records, because these don't name their connection.
   */
  rows(): readonly RootRow[] {
    const { scope, items, hasMore, moreProblem } = this;
    const inputs = [scope, items, hasMore, moreProblem, this.registry.all()];
    return this.latest.take(inputs, () => (scope === undefined ? [] : this.makeRows(scope)));
  }

  leaves(): readonly RunRow[] {
    return this.rows().flatMap(row =>
      row.kind === 'file' ? row.runs : row.kind === 'run' ? [row] : row.below.filter(one => one.kind === 'run'),
    );
  }

  private makeRows(connection: string): readonly RootRow[] {
    const submissions = this.registry.all();
    const runs = toRuns(submissions);
    const { nameOf } = this;
    const isHere = (run: Run) => run.connection === connection;
    const isGone = (run: Run) => resultsOf(run) === undefined && run.submissions.every(({ deleted }) => deleted === true);
    const own = new Set(runs.filter(isHere).flatMap(run => run.submissions.map(({ batchId }) => batchId)));
    const shown = runs.filter(run => (isHere(run) || run.connection === '' || isIn(run, 'unknown', 'sending')) && !isGone(run));
    const files = groupBy(shown, run => (generationsOf(runs, run)[0] ?? run).source);
    const cache: typeof this.cache = new Map();
    const reused = <Row extends BatchRow>(key: string, inputs: readonly unknown[], make: () => Row): Row => {
      const before = this.cache.get(key);
      const row = before !== undefined && isSame(before.inputs, inputs) ? (before.row as Row) : make();
      cache.set(key, { inputs, row });
      return row;
    };
    const rows = [...files].map(([source, ofFile]): FileRow | RunRow => {
      const fileName = nameOf(source);
      const isOnly = ofFile.length === 1;
      const rowsOfFile = ofFile.map(run => {
        const isOpenTrial = isTrial(run) && !hasRest(generationsOf(runs, run));
        const isElsewhere = run.connection !== connection;
        const listed = run.submissions.map(({ batchId = '' }) => this.findIn(run.connection, batchId));
        const inputs = [run, source, fileName, isOnly, isOpenTrial, isElsewhere, ...listed];
        return reused(run.id, inputs, () => {
          return { kind: 'run', run, parts: this.partsOf(run), source, fileName, isOnly, isOpenTrial, isElsewhere };
        });
      });
      const [only] = rowsOfFile;
      if (isOnly && only !== undefined) {
        return only;
      }
      const results = resultsOfSource(submissions, source)?.results;
      return reused(source, [...rowsOfFile, fileName, results], () => ({
        kind: 'file',
        source,
        name: fileName,
        runs: rowsOfFile,
        results,
      }));
    });
    const others = this.items
      .filter(({ id }) => !own.has(id))
      .map(batch => reused(batch.id, [batch, connection], () => rowOfForeign(connection, batch)));
    const { hasMore, moreProblem } = this;
    const problem = moreProblem === undefined ? undefined : describeError(moreProblem);
    const more: readonly MoreRow[] = hasMore ? [reused('more', [problem], () => ({ kind: 'more', problem }))] : [];
    const below = [...others, ...more];
    const isAlone = rows.length === 0;
    const rest =
      below.length === 0
        ? []
        : [reused('others', [isAlone, ...below], () => ({ kind: 'others' as const, below, count: others.length, isAlone }))];
    this.cache = cache;
    const isUncertain = (row: FileRow | RunRow) => (row.kind === 'file' ? row.runs : [row]).some(({ run }) => isIn(run, 'unknown'));
    return [...rows.filter(isUncertain), ...rows.filter(row => !isUncertain(row)), ...rest];
  }

  /** Returns a run, even if the view doesn't show it. */
  run(runId: string): Pick<RunRow, 'run' | 'parts'> | undefined {
    const run = toRuns(this.registry.all()).find(({ id }) => id === runId);
    return run && { run, parts: this.partsOf(run) };
  }

  private partsOf(run: Run): readonly RunPart[] {
    return partsOf(run, batchId => this.findIn(run.connection, batchId));
  }

  findIn(connection: string, batchId: string): MessageBatch | undefined {
    return connection === this.scope ? this.find(batchId) : undefined;
  }

  idsOf(connection: string): readonly string[] {
    return connection === this.scope ? this.items.map(({ id }) => id) : [];
  }

  /** Fires `onDidChange` after a change of the registry. */
  touch(): void {
    this.changed.fire();
  }
}

function isIn({ submissions }: Run, ...states: readonly Submission['state'][]): boolean {
  return submissions.some(({ state }) => states.includes(state));
}
