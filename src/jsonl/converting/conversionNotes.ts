import type { ProblemText } from '../../contract/problem';
import { Tally } from '../files/tally';
import type { ChangedId, ConversionNote, ConversionReport, ItemPosition } from './convertingJobs';

/** Maximum number of distinct notes and reasons. Each line of a file can have different fields. */
const maxKinds = 300;
const maxIds = 1000;

/** Thrown for an item that can't be converted, with the reason. */
export class NotConvertible extends Error {
  override readonly name = 'NotConvertible';
  readonly text: ProblemText;

  constructor(template: string, ...args: readonly (string | number)[]) {
    super(template);
    this.text = { template, args: args.map(shortened) };
  }
}

interface Counted {
  readonly items: Tally<ItemPosition>;
}

/** Collects what conversions lose, by field and reason, with the items concerned. */
export class ConversionNotes {
  position: ItemPosition = { line: 0, column: 0, number: 0 };
  private readonly notes = new Map<string, Pick<ConversionNote, 'field' | 'text'> & Counted>();
  private readonly failures = new Map<string, Pick<ConversionNote, 'text'> & Counted>();
  private readonly changed = new Tally<ChangedId>(maxIds);

  /** Adds a note about a field that was left out or changed. `template` is the text of the note. */
  add(field: string, template: string, ...args: readonly (string | number)[]): void {
    const name = this.notes.size < maxKinds ? String(shortened(field)) : '…';
    this.count(this.notes, { field: name, text: { template, args: args.map(shortened) } });
  }

  addFailure(text: ProblemText): void {
    this.count(this.failures, { text: this.failures.size < maxKinds ? text : { template: "Can't be converted.", args: [] } });
  }

  private count<T extends object>(found: Map<string, T & Counted>, kind: T): void {
    const key = JSON.stringify(kind);
    const known = found.get(key) ?? { ...kind, items: new Tally<ItemPosition>() };
    found.set(key, known);
    known.items.add(() => this.position);
  }

  addChangedId(from: string, to: string): void {
    this.changed.add(() => ({ ...this.position, from: String(shortened(from)), to }));
  }

  report(): Pick<ConversionReport, 'notes' | 'failures' | 'changedIds'> {
    const notes: ConversionNote[] = [...this.notes.values()].map(({ field, text, items }) => ({ field, text, ...items.found() }));
    const failures = [...this.failures.values()].map(({ text, items }) => ({ text, ...items.found() }));
    return {
      notes: notes.sort((a, b) => b.count - a.count),
      failures: failures.sort((a, b) => b.count - a.count),
      changedIds: this.changed.found(),
    };
  }
}

/** Cuts a text from a file to the length that a label shows. */
function shortened(arg: string | number): string | number {
  return typeof arg === 'string' ? arg.slice(0, 200) : arg;
}
