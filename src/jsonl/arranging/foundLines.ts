import type { FoundLines } from './arrangingJobs';

const mostKept = 20;

/** Counts lines and keeps the first of them. */
export class LineTally {
  private count = 0;
  private readonly first: number[] = [];

  add(line: number): void {
    this.count++;
    if (this.first.length < mostKept) {
      this.first.push(line);
    }
  }

  found(): FoundLines {
    return { count: this.count, first: this.first };
  }
}
