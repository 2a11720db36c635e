import { type CheckedLine, checkRequestLine } from './requestRules';
import { RequestScanner, record, scanStatus } from './requestScanner';

const startBytes = 64 * 1024;
const blank: CheckedLine = { kind: 'blank', customId: undefined, model: undefined, problems: [] };
const surrogates = /[\ud800-\udfff]/;
const loneSurrogate = /\p{Cs}/u;

/** Checks single lines of text: those that are certainly right by the scan, the others by the rules. The answers are the rules'. */
export class QuickLineCheck {
  private readonly scanner = new RequestScanner(startBytes);
  private readonly encoder = new TextEncoder();

  /** `line` counts from 0 and goes into the problems. */
  check(text: string, line: number): CheckedLine {
    return this.scan(text) ?? checkRequestLine(text, line);
  }

  private scan(text: string): CheckedLine | undefined {
    // Encoding would put another character in the place of half a pair.
    if (text === '' || (surrogates.test(text) && loneSurrogate.test(text))) {
      return undefined;
    }
    const { scanner } = this;
    scanner.reserve(text.length * 3);
    const from = scanner.inputAt;
    const { written } = this.encoder.encodeInto(text, scanner.memory.subarray(from, from + scanner.inputBytes));
    const { count } = scanner.scan(from, from + written, true);
    if (count !== 1 || scanner.records[record.end] !== from + written) {
      return undefined;
    }
    switch (scanner.records[record.status]) {
      case scanStatus.blank:
        return blank;
      case scanStatus.request:
        return {
          kind: 'request',
          customId: this.text(record.idStart, record.idEnd),
          model: this.text(record.modelStart, record.modelEnd),
          problems: [],
        };
      case scanStatus.params:
        return { kind: 'params', customId: undefined, model: this.text(record.modelStart, record.modelEnd), problems: [] };
      default:
        return undefined;
    }
  }

  private text(start: number, end: number): string {
    const { memory, records } = this.scanner;
    const from = records[start] ?? 0;
    return Buffer.from(memory.buffer, from, (records[end] ?? 0) - from).toString('utf8');
  }
}
