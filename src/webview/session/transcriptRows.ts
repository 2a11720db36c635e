import { decisionOf, isWaitingRow, kindOf } from '../../shared/session/rows/rowKinds';
import type { Row, RowSplice } from '../../shared/session/rows/rows';

/** An applied splice: `removed` rows at `at` were replaced by `added`. */
export interface AppliedSplice {
  readonly at: number;
  readonly removed: readonly Row[];
  readonly added: readonly Row[];
}

/** Rows of one thread in order, with their indexes by key. */
export class TranscriptRows {
  #rows: Row[] = [];
  /** Indexes of the rows by key. Computed when first needed after rows have moved. */
  #indexes: Map<string, number> | undefined;
  errors = 0;
  waiting = 0;
  /** Number of calls that the service decided itself, and of calls that the service denied. */
  decided = 0;
  denied = 0;
  /** Sequence number of the latest event that changed the session's agent. -1 if there is no such event. */
  agentChangedAt = -1;

  get length(): number {
    return this.#rows.length;
  }

  get all(): readonly Row[] {
    return this.#rows;
  }

  at(index: number): Row | undefined {
    return this.#rows[index];
  }

  /** Returns the index of the row with this key. -1 if there is no such row. */
  indexOf(key: string): number {
    this.#indexes ??= new Map(this.#rows.map((row, index) => [row.key, index]));
    return this.#indexes.get(key) ?? -1;
  }

  /** Applies a splice. A splice past the end is cut. */
  apply({ at: asked, remove, rows: added }: RowSplice): AppliedSplice {
    const at = Math.min(asked, this.#rows.length);
    const end = Math.min(at + remove, this.#rows.length);
    const removed = this.#rows.slice(at, end);
    for (const row of removed) {
      this.#count(row, -1);
    }
    for (const row of added) {
      this.#count(row, 1);
    }
    if (at === this.#rows.length) {
      for (const row of added) {
        this.#indexes?.set(row.key, this.#rows.length);
        this.#rows.push(row);
      }
      return { at, removed, added };
    }
    if (added.length === removed.length) {
      added.forEach((row, offset) => {
        this.#rows[at + offset] = row;
      });
    } else {
      // `splice(...rows)` would overflow the stack with a long argument list.
      this.#rows = [...this.#rows.slice(0, at), ...added, ...this.#rows.slice(end)];
    }
    if (added.length !== removed.length || added.some(({ key }, index) => key !== removed[index]?.key)) {
      this.#indexes = undefined;
    }
    return { at, removed, added };
  }

  #count(row: Row, change: 1 | -1): void {
    this.errors += kindOf(row).isError(row) ? change : 0;
    if (row.kind === 'update' && row.changesAgent === true) {
      this.agentChangedAt = Math.max(this.agentChangedAt, row.seq);
    }
    this.waiting += isWaitingRow(row) ? change : 0;
    const decision = decisionOf(row)?.result;
    this.decided += decision === undefined ? 0 : change;
    this.denied += decision === 'deny' ? change : 0;
  }
}
