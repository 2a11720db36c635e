import { parseJsonLine } from '../scanning/jsonText';
import { containerAt, indexOf, type JsonContainer, type JsonPart, type JsonPath, memberOf, type PlacedPart, rootOf } from './jsonPlaces';

/**
 * A line while its problems are answered: each of its objects and arrays is read once, however many problems it has. Without the
 * line end; the text never changes.
 */
export class JsonLine {
  private readonly containers = new Map<number, JsonContainer | undefined>();
  /** By who asked, what was found of the line as a whole. */
  private readonly facts = new Map<unknown, unknown>();
  private completeness: boolean | undefined;
  private parsed: { readonly value: unknown } | undefined;
  private outermost: { readonly container: JsonContainer | undefined } | undefined;

  constructor(readonly text: string) {}

  /** Whether the text is JSON from its begin to its end. */
  get isComplete(): boolean {
    this.completeness ??= parseJsonLine(this.text).complete;
    return this.completeness;
  }

  /** The value of the whole line; undefined when it is no JSON. */
  get value(): unknown {
    this.parsed ??= { value: this.isComplete ? (JSON.parse(this.text) as unknown) : undefined };
    return this.parsed.value;
  }

  /** The outermost object or array of a line that is JSON. */
  get root(): JsonContainer | undefined {
    this.outermost ??= { container: rootOf(this.text) };
    return this.outermost.container;
  }

  /** Where the params of a line stand: in `params`, or they are the line. */
  get paramsPath(): readonly string[] {
    return memberOf(this.root, 'params') !== undefined || memberOf(this.root, 'custom_id') !== undefined ? ['params'] : [];
  }

  /** The object or array that begins at a column; undefined when another value stands there. */
  containerAt(at: number): JsonContainer | undefined {
    if (!this.containers.has(at)) {
      this.containers.set(at, containerAt(this.text, at));
    }
    return this.containers.get(at);
  }

  /**
   * The part that `path` leads to. Of doubled keys the one that has the column `near` in it, else the last, which is the one that
   * counts. Undefined when there is none.
   */
  placeOf(path: JsonPath, near = -1): PlacedPart | undefined {
    let container = this.root;
    let found: PlacedPart | undefined;
    for (const step of path) {
      const index = container === undefined ? -1 : indexOf(container, step, near);
      const part: JsonPart | undefined = container?.parts[index];
      if (container === undefined || part === undefined) {
        return undefined;
      }
      found = { part, index, container };
      container = this.containerAt(part.start);
    }
    return found;
  }

  /** What `find` finds of the line as a whole, found once however many problems need it; `find` is one function for all of them. */
  once<T>(find: (line: JsonLine) => T): T {
    if (!this.facts.has(find)) {
      this.facts.set(find, find(this));
    }
    return this.facts.get(find) as T;
  }

  /** The value of a part, as parsed. */
  valueOf(part: JsonPart): unknown {
    return JSON.parse(this.raw(part));
  }

  /** The value of a part as it is written. */
  raw(part: JsonPart): string {
    return this.text.slice(part.start, part.end);
  }
}
