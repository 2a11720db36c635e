import type { Problem } from '../../contract/problem';
import { LineNotes, type Noted } from '../rules/lineNotes';
import type { RuleOptions } from '../rules/ruleOptions';
import { RequestScanner, record, scanStatus } from '../scanning/requestScanner';
import { type CheckedLine, checkRequestLine, isBlank } from './requestRules';
import { withPlainNames } from './withPlainNames';

const startBytes = 64 * 1024;
const none: readonly Problem[] = [];
const nothing: readonly Noted[] = [];

/** What a quick check says about one line: everything the rules say but, mostly, the places. */
export interface QuickLine extends Pick<CheckedLine, 'kind' | 'customId' | 'model'> {
  /** Rule and severity of each finding. */
  readonly noted: readonly Noted[];
  /** The findings with their places, when they came with the answer. */
  readonly problems: readonly Problem[] | undefined;
}

/** Checks single lines of text: what is right by the schemas by the scan, the others by the rules. The answers are the rules'. */
export class QuickLineCheck {
  private readonly scanner = new RequestScanner(startBytes);
  private readonly encoder = new TextEncoder();
  private readonly notes: LineNotes;

  constructor(readonly options: RuleOptions) {
    this.notes = new LineNotes(options);
  }

  /** Everything the rules say. `line` counts from 0 and goes into the problems. */
  check(text: string, line: number): CheckedLine {
    const known = this.scan(text);
    if (known?.problems === undefined) {
      return (known === undefined ? this.plainly(text) : undefined) ?? checkRequestLine(text, line, this.options);
    }
    const { kind, customId, model, problems } = known;
    return { kind, customId, model, problems };
  }

  /**
   * What is sure of a line that the scan does not know because of how its names are written: undefined where that is not the reason, or
   * the rules have anything to say.
   */
  plainly(text: string): CheckedLine | undefined {
    const plain = withPlainNames(text);
    const known = plain === undefined ? undefined : this.scan(plain);
    return known?.problems?.length === 0 ? { kind: known.kind, customId: known.customId, model: known.model, problems: none } : undefined;
  }

  /** Everything the rules say, without the places where they can wait. */
  look(text: string, line: number): QuickLine {
    const known = this.scan(text);
    if (known !== undefined) {
      return known;
    }
    const { kind, customId, model, problems } = checkRequestLine(text, line, this.options);
    return { kind, customId, model, noted: problems, problems };
  }

  private scan(text: string): QuickLine | undefined {
    if (isBlank(text)) {
      return { kind: 'blank', customId: undefined, model: undefined, noted: nothing, problems: none };
    }
    // Encoding would put another character in the place of half a pair.
    if (!text.isWellFormed()) {
      return undefined;
    }
    const { scanner } = this;
    scanner.reserve(text.length * 3);
    const from = scanner.inputAt;
    const { written } = this.encoder.encodeInto(text, scanner.memory.subarray(from, from + scanner.inputBytes));
    const { count } = scanner.scan(from, from + written, true);
    const { records } = scanner;
    const status = records[record.status];
    if (count !== 1 || records[record.end] !== from + written || status === scanStatus.unknown) {
      return undefined;
    }
    const noted = this.notes.found(
      records[record.notes] ?? 0,
      scanner.memory,
      records[record.modelStart] ?? 0,
      records[record.modelEnd] ?? 0,
    );
    if (noted === undefined) {
      return undefined;
    }
    const isRequest = status === scanStatus.request;
    return {
      kind: isRequest ? 'request' : 'params',
      customId: isRequest ? this.text(record.idStart, record.idEnd) : undefined,
      model: this.text(record.modelStart, record.modelEnd),
      noted,
      problems: noted.length === 0 ? none : undefined,
    };
  }

  private text(start: number, end: number): string {
    const { memory, records } = this.scanner;
    const from = records[start] ?? 0;
    return Buffer.from(memory.buffer, from, (records[end] ?? 0) - from).toString('utf8');
  }
}
