import { settlesWithin } from '../../common/settlesWithin';
import type { ShownSheet } from '../batches/offered';
import type { SubmissionRegistry } from '../ledger';
import type { Proposal } from './assistantServices';
import { type SheetEnd, toSheetEnd } from './sheetEnd';

/** Milliseconds for which it is kept what became of a sheet that nobody waited for when it was closed. */
const memory = 10 * 60_000;

export interface ProposedSheetsOptions {
  readonly registry: Pick<SubmissionRegistry, 'reload' | 'findBySource'>;
  /** Shows the sheet of a proposal; undefined where there is none to show, or the person turned back. */
  readonly show: (proposal: Proposal) => Promise<ShownSheet | undefined>;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

interface ProposedSheet {
  /** What had been sent of the file before. */
  readonly before: ReadonlySet<string>;
  readonly shown: Promise<ShownSheet | undefined>;
  closedAt?: number;
}

/**
 * The sheets that models proposed, until a model has heard what became of them. Whoever proposes the same again while one is open waits
 * for it; whoever does after the person sent or closed it hears that: what was decided is not asked again.
 */
export class ProposedSheets {
  private readonly unheard = new Map<string, ProposedSheet>();

  constructor(private readonly options: ProposedSheetsOptions) {}

  /** Settles when the sheet was sent or closed, `patience` milliseconds have passed at one of its steps, or `signal` aborts. */
  async propose(proposal: Proposal, patience: number, signal: AbortSignal): Promise<SheetEnd> {
    const { source } = proposal.file;
    const { registry } = this.options;
    await registry.reload();
    const key = JSON.stringify([source, proposal.only, proposal.sampleSize]);
    const sheet = this.find(key) ?? this.begin(key, proposal);
    // The person may be asked for a connection first.
    if (!(await settlesWithin(sheet.shown, patience, signal))) {
      return { kind: 'open' };
    }
    const shown = await sheet.shown;
    const isClosed = shown === undefined || (await settlesWithin(shown.closed, patience, signal));
    const begun = registry.findBySource(source).filter(({ id }) => !sheet.before.has(id));
    const end: SheetEnd = shown === undefined ? { kind: 'notShown' } : toSheetEnd(begun, isClosed);
    const isDecided = end.kind !== 'open' && end.kind !== 'sending';
    if (isDecided && !signal.aborted && this.unheard.get(key) === sheet) {
      this.unheard.delete(key);
    }
    return end;
  }

  private find(key: string): ProposedSheet | undefined {
    const sheet = this.unheard.get(key);
    return sheet?.closedAt !== undefined && this.options.now() - sheet.closedAt > memory ? undefined : sheet;
  }

  private begin(key: string, proposal: Proposal): ProposedSheet {
    const { registry, show, now } = this.options;
    const before = new Set(registry.findBySource(proposal.file.source).map(({ id }) => id));
    const sheet: ProposedSheet = { before, shown: show(proposal) };
    this.unheard.set(key, sheet);
    const close = () => {
      sheet.closedAt = now();
    };
    sheet.shown
      .then(shown => shown?.closed)
      .then(close, () => {
        // Whoever waits is told of it; the next one begins anew.
        this.unheard.delete(key);
      });
    return sheet;
  }
}
