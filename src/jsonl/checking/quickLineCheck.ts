import type { Problem } from '../../contract/problem';
import { LineNotes, type Noted, type ScannedLine } from '../rules/lineNotes';
import type { RuleOptions } from '../rules/ruleOptions';
import { LF } from '../scanning/jsonBytes';
import { RecordWord, ScanStatus } from '../wasm/requestLayout';
import { type CheckedLine, checkRequestLine, isBlank } from './requestRules';
import { kindOfStatus, RequestScanner } from './requestScanner';

const none: readonly Problem[] = [];
const nothing: readonly Noted[] = [];

/** Result of a quick check of one line: the findings of the rules, mostly without ranges. */
export interface QuickLine extends Pick<CheckedLine, 'kind' | 'customId' | 'model'> {
  readonly noted: readonly Noted[];
  /** Findings with ranges, if they are available without another check. */
  readonly problems: readonly Problem[] | undefined;
}

/** Checks single lines of text. Reuses the findings of the scan and of earlier lines where possible, and otherwise runs the rules. */
export class QuickLineCheck {
  private readonly scanner = new RequestScanner();
  private readonly encoder = new TextEncoder();
  private readonly notes: LineNotes;

  constructor(readonly options: RuleOptions) {
    this.notes = new LineNotes(options);
  }

  /** Returns all findings with ranges. `line` is 0-based and is set in the problems. */
  check(text: string, line: number): CheckedLine {
    const { kind, customId, model, problems } = this.checkQuickly(text, line);
    return problems === undefined ? checkRequestLine(text, line, this.options) : { kind, customId, model, problems };
  }

  /** Returns all findings, with ranges only if the rules had to run. */
  checkQuickly(text: string, line: number): QuickLine {
    if (isBlank(text)) {
      return { kind: 'blank', customId: undefined, model: undefined, noted: nothing, problems: none };
    }
    const scanned = this.scan(text);
    const noted = scanned && this.notes.found(scanned);
    if (noted !== undefined) {
      return this.known(noted);
    }
    const { kind, customId, model, problems } = checkRequestLine(text, line, this.options);
    if (scanned !== undefined) {
      this.notes.learn(scanned, problems);
    }
    return { kind, customId, model, noted: problems, problems };
  }

  private scan(text: string): ScannedLine | undefined {
    // Encoding would replace an unpaired surrogate with another character.
    if (!text.isWellFormed()) {
      return undefined;
    }
    const { scanner } = this;
    scanner.reserve(text.length * 3 + 1);
    const from = scanner.inputAt;
    const end = from + this.encoder.encodeInto(text, scanner.memory.subarray(from)).written;
    scanner.memory[end] = LF;
    const count = scanner.scan(from, end + 1);
    const { records } = scanner;
    const isKnown = count === 1 && records[RecordWord.End] === end && records[RecordWord.Status] !== ScanStatus.Unknown;
    return isKnown ? scanner.lineAt(0) : undefined;
  }

  private known(noted: readonly Noted[]): QuickLine {
    return {
      kind: kindOfStatus[this.scanner.records[RecordWord.Status] ?? 0] ?? 'invalid',
      customId: this.text(RecordWord.IdStart, RecordWord.IdEnd),
      model: this.text(RecordWord.ModelStart, RecordWord.ModelEnd),
      noted,
      problems: noted.length === 0 ? none : undefined,
    };
  }

  private text(start: number, end: number): string | undefined {
    const { memory, records } = this.scanner;
    const from = records[start] ?? 0;
    return from === 0 ? undefined : Buffer.from(memory.buffer, from, (records[end] ?? 0) - from).toString('utf8');
  }
}
