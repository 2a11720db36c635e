import type { ProblemText } from '../../contract/problem';
import { Tally } from '../files/tally';
import type { ItemPosition } from './foreignItems';
import type { RawJson } from './rawJson';

export interface FoundItems {
  readonly count: number;
  readonly first: readonly ItemPosition[];
}

/** Loss or change in a conversion, with the items concerned. */
interface ConversionNote extends FoundItems {
  /** Path of the field in an item: `body.seed`. */
  readonly field: string;
  readonly text: ProblemText;
}

/** Maximum number of distinct notes and reasons. Each line of a file can have different fields. */
const maxKinds = 300;
const maxIds = 1000;

export class NotConvertible extends Error {
  override readonly name = 'NotConvertible';
  readonly text: ProblemText;

  constructor(template: string, ...args: readonly (string | number)[]) {
    super(template);
    this.text = { template, args: args.map(shortened) };
  }
}

/** Collects what conversions lose, by field and reason, with the items concerned. */
export class ConversionNotes {
  position: ItemPosition = { line: 0, column: 0, number: 0 };
  /** Path of the object in the item whose fields are noted: empty, or with a trailing dot. */
  at = '';
  private readonly notes = new Kinds<Pick<ConversionNote, 'field' | 'text'>>();
  private readonly failures = new Kinds<Pick<ConversionNote, 'text'>>();
  private readonly changed = new Tally<ItemPosition & { readonly from: string; readonly to: string }>(maxIds);

  /** Adds a note about a field that was left out or changed. `template` is the text of the note. */
  add(field: string, template: string, ...args: readonly (string | number)[]): void {
    const text = { template, args: args.map(shortened) };
    this.notes.add({ field: String(shortened(`${this.at}${field}`)), text }, { field: '…', text }, this.position);
  }

  /** Adds a note about each field of an object that is not in `known`. `path` is the path of the object relative to `at`. */
  addOthers(object: RawJson, known: readonly string[], path: string): void {
    for (const key of object.keys()) {
      if (!known.includes(key) && object.given(key) !== undefined) {
        this.add(`${path}${key}`, 'Not supported, left out.');
      }
    }
  }

  addFailure(text: ProblemText): void {
    this.failures.add({ text }, { text: { template: "Can't be converted.", args: [] } }, this.position);
  }

  addChangedId(from: string, to: string): void {
    this.changed.add(() => ({ ...this.position, from: String(shortened(from)), to }));
  }

  report() {
    return { notes: this.notes.list(), failures: this.failures.list(), changedIds: this.changed.found() };
  }
}

class Kinds<T extends object> {
  private readonly kinds = new Map<string, { readonly kind: T; readonly items: Tally<ItemPosition> }>();

  /** Counts an item of a kind, or of `other` if there are too many kinds. */
  add(wanted: T, other: T, position: ItemPosition): void {
    const kind = this.kinds.size < maxKinds ? wanted : other;
    const key = JSON.stringify(kind);
    const known = this.kinds.get(key) ?? { kind, items: new Tally<ItemPosition>() };
    this.kinds.set(key, known);
    known.items.add(() => position);
  }

  /** Returns the kinds with their items, most frequent first. */
  list(): readonly (T & FoundItems)[] {
    const found = [...this.kinds.values()].map(({ kind, items }) => ({ ...kind, ...items.found() }));
    return found.sort((a, b) => b.count - a.count);
  }
}

/** Cuts a text from a file to the length that a label shows. */
function shortened(arg: string | number): string | number {
  return typeof arg === 'string' ? arg.slice(0, 200) : arg;
}
