import type { Row } from '../../../shared/session/rows/rows';

/** What the user did to a row; undefined is as rows of its kind are at first. */
interface RowLook {
  readonly isOpen?: boolean;
  readonly isRaw?: boolean;
}

/** Which rows are open and which are shown raw, by key. */
export class RowLooks {
  readonly #looks = new Map<string, RowLook>();
  #isRaw = false;

  /** Whether all rows are shown raw that were not set apart. */
  get allRaw(): boolean {
    return this.#isRaw;
  }

  isOpen(row: Row): boolean {
    return this.#looks.get(row.key)?.isOpen ?? isOpenAtFirst(row);
  }

  isRaw(row: Row): boolean {
    return this.#looks.get(row.key)?.isRaw ?? this.#isRaw;
  }

  setOpen(key: string, isOpen: boolean): void {
    this.#looks.set(key, { ...this.#looks.get(key), isOpen });
  }

  setRaw(key: string, isRaw: boolean): void {
    this.#looks.set(key, { ...this.#looks.get(key), isRaw });
  }

  /** Shows all rows raw, or rendered; what was set for single rows is forgotten. */
  setAllRaw(isRaw: boolean): void {
    this.#isRaw = isRaw;
    for (const [key, look] of this.#looks) {
      const { isRaw: _, ...rest } = look;
      this.#looks.set(key, rest);
    }
  }
}

/** Whether there is something to fold. */
export function isFoldable(row: Row): boolean {
  switch (row.kind) {
    case 'user':
    case 'agent':
    case 'system':
    case 'tool':
    case 'model':
    case 'unknown':
      return true;
    case 'thinking':
    case 'thread':
      return row.parts.length > 0;
    case 'error':
    case 'compaction':
    case 'usage':
    case 'update':
      return row.details !== undefined;
    case 'outcome':
      return row.description !== undefined || row.rubric !== undefined || row.explanation !== undefined;
    case 'status':
    case 'gap':
      return false;
  }
}

/** Words are open, work is folded. */
function isOpenAtFirst(row: Row): boolean {
  return row.kind === 'user' || row.kind === 'agent' || row.kind === 'system' || row.kind === 'outcome';
}
