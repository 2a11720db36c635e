import { settlesWithin } from '../../common/settlesWithin';
import type { ShownSheet } from '../batches/api';
import type { Submission, SubmissionRegistry } from '../ledger';
import type { Proposal } from './assistantServices';

/**
 * State of a sheet that was opened for a model. `open`: the user has not decided yet. `sending`: the upload is running. `notShown`: no
 * sheet was opened, and the user knows why.
 */
export type SheetEnd =
  | { readonly kind: 'sent'; readonly batchIds: readonly string[] }
  | { readonly kind: 'closed' | 'notShown' | 'open' | 'sending' | 'failed' };

/** Returns the state of a sheet from the submissions that were started since it was opened. */
export function toSheetEnd(begun: readonly Pick<Submission, 'state' | 'batchId'>[], isClosed: boolean): SheetEnd {
  if (begun.some(({ state }) => state === 'sending')) {
    return { kind: 'sending' };
  }
  const batchIds = begun.flatMap(({ batchId }) => batchId ?? []);
  if (batchIds.length > 0) {
    return { kind: 'sent', batchIds };
  }
  return { kind: begun.length > 0 ? 'failed' : isClosed ? 'closed' : 'open' };
}

/** Time for which an outcome is remembered if no model has received it, in milliseconds. */
const memory = 10 * 60_000;

interface ProposedSheetsOptions {
  readonly registry: Pick<SubmissionRegistry, 'reload' | 'findBySource'>;
  /** Shows the sheet of a proposal. Resolves with `undefined` if there is nothing to show or the user cancelled. */
  readonly show: (proposal: Proposal) => Promise<ShownSheet | undefined>;
  /** Monotonic time in milliseconds. */
  readonly now: () => number;
}

interface ProposedSheet {
  /** Ids of the file's submissions that existed before the sheet. */
  readonly before: ReadonlySet<string>;
  readonly shown: Promise<ShownSheet | undefined>;
  closedAt?: number;
}

/**
 * Sheets that models proposed, until a model has received their outcome. A repeated proposal waits for the sheet while it is open. After
 * the user has sent or closed the sheet, the proposal returns that outcome instead of asking the user again.
 */
export class ProposedSheets {
  private readonly unreported = new Map<string, ProposedSheet>();

  constructor(private readonly options: ProposedSheetsOptions) {}

  /**
   * Shows the sheet of a proposal, or waits for the open sheet. Resolves when the sheet was sent or closed, when a step took longer than
   * `patience` milliseconds, or when `signal` aborts.
   */
  async propose(proposal: Proposal, patience: number, signal: AbortSignal): Promise<SheetEnd> {
    const { source } = proposal.file;
    const { registry } = this.options;
    await registry.reload();
    const key = JSON.stringify([source, proposal.only, proposal.sampleSize]);
    const sheet = this.find(key) ?? this.start(key, proposal);
    // The command may first ask for a connection.
    if (!(await settlesWithin(sheet.shown, patience, signal))) {
      return { kind: 'open' };
    }
    const shown = await sheet.shown;
    const isClosed = shown === undefined || (await settlesWithin(shown.closed, patience, signal));
    const startedSubmissions = registry.findBySource(source).filter(({ id }) => !sheet.before.has(id));
    const end: SheetEnd = shown === undefined ? { kind: 'notShown' } : toSheetEnd(startedSubmissions, isClosed);
    const isDecided = end.kind !== 'open' && end.kind !== 'sending';
    if (isDecided && !signal.aborted && this.unreported.get(key) === sheet) {
      this.unreported.delete(key);
    }
    return end;
  }

  private find(key: string): ProposedSheet | undefined {
    const sheet = this.unreported.get(key);
    return sheet?.closedAt !== undefined && this.options.now() - sheet.closedAt > memory ? undefined : sheet;
  }

  private start(key: string, proposal: Proposal): ProposedSheet {
    const { registry, show, now } = this.options;
    const before = new Set(registry.findBySource(proposal.file.source).map(({ id }) => id));
    const sheet: ProposedSheet = { before, shown: show(proposal) };
    this.unreported.set(key, sheet);
    const close = () => {
      sheet.closedAt = now();
    };
    sheet.shown
      .then(shown => shown?.closed)
      .then(close, () => {
        // Waiting callers receive the error. The next proposal opens a new sheet.
        this.unreported.delete(key);
      });
    return sheet;
  }
}
