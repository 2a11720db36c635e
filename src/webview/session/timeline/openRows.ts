import { kindOf } from '../../../shared/session/rows/rowKinds';
import type { Row } from '../../../shared/session/rows/rows';

/** Which rows of a thread are open, by key. */
export class OpenRows {
  readonly #isOpen = new Map<string, boolean>();

  isOpen(row: Row): boolean {
    return this.#isOpen.get(row.key) ?? kindOf(row).isOpenAtFirst === true;
  }

  setOpen(key: string, isOpen: boolean): void {
    this.#isOpen.set(key, isOpen);
  }
}
