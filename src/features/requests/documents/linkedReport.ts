import type { Report, ReportLink } from '../../../common/documents/reportDocuments';
import { numberFormat } from '../../../shared/formats';

export interface LinkedPlace {
  readonly line: number;
  readonly column?: number;
  /** What the place is called by when that is not its line. */
  readonly number?: number;
  /** Follows the number. */
  readonly text?: string;
}

/** Puts a report together: lines of text, with numbers of lines that lead to them. */
export class LinkedReport {
  private readonly lines: string[] = [];
  private readonly links: ReportLink[] = [];

  constructor(private readonly locale: string | undefined) {}

  add(...lines: readonly string[]): void {
    this.lines.push(...lines);
  }

  /**
   * A line that begins with `begin` and names places in the file by their lines, or by another `number`, which count from 0; `more`
   * stands for those that are not listed.
   */
  addPlaces(begin: string, places: readonly LinkedPlace[], more = ''): void {
    let text = begin;
    for (const [index, { line, column = 0, number: named = line, text: behind = '' }] of places.entries()) {
      const number = numberFormat(this.locale).format(named + 1);
      text += index === 0 ? '' : ', ';
      this.links.push({ reportLine: this.lines.length, start: text.length, length: number.length, line, column });
      text += `${number}${behind}`;
    }
    this.lines.push(`${text}${more}`);
  }

  report(): Report {
    return { text: `${this.lines.join('\n')}\n`, links: this.links };
  }
}
