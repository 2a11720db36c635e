import { IdTable } from '../files/idTable';
import type { LineMap } from '../files/lineMap';

/** The requests of several submitted files, each id once, numbered in the order they were first sent. */
export class SentRequests {
  private readonly ids = new IdTable();
  /** By file: the number of each request of its map. */
  private readonly numbers: readonly Uint32Array[];

  constructor(readonly maps: readonly LineMap[]) {
    this.numbers = maps.map(({ ids }) => {
      const bytes = ids.allBytes;
      return Uint32Array.from({ length: ids.size }, (_, number) => this.ids.add(bytes, ids.startOf(number), ids.endOf(number)));
    });
  }

  get count(): number {
    return this.ids.size;
  }

  numberOf(file: number, number: number): number {
    return this.numbers[file]?.[number] ?? -1;
  }

  /** Returns the number of a request in another table of ids, or -1. */
  findIn(other: IdTable, request: number): number {
    return other.find(this.ids.allBytes, this.ids.startOf(request), this.ids.endOf(request));
  }

  /** Returns whether another set has this request. */
  isIn(other: SentRequests, request: number): boolean {
    return this.findIn(other.ids, request) >= 0;
  }
}
