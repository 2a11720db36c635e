import { toNumber } from '../../../shared/formats';
import type { Report, ReportLink } from './reportDocuments';

interface LineLink {
  readonly line: number;
  readonly column?: number;
  /** 0-based number to show instead of the line number. */
  readonly number?: number;
  readonly text?: string;
}

/** Builds a report of text lines with links to lines of a file. */
export class LinkedReport {
  private readonly lines: string[] = [];
  private readonly links: ReportLink[] = [];

  constructor(private readonly locale: string | undefined) {}

  add(...lines: readonly string[]): void {
    this.lines.push(...lines);
  }

  /** Adds rows of a name and a value. The values are aligned. */
  addTable(rows: readonly (readonly [name: string, value: string])[]): void {
    const width = Math.max(...rows.map(([name]) => name.length));
    this.add(...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`));
  }

  /**
   * Adds a line of links to lines of the file. A link's text is its line number, or its `number` if there is one. `start` is the text
   * before the links, and `more` the text after them.
   */
  addLinks(start: string, links: readonly LineLink[], more = ''): void {
    let text = start;
    for (const [index, { line, column = 0, number: named = line, text: behind = '' }] of links.entries()) {
      const number = toNumber(named + 1, this.locale);
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
