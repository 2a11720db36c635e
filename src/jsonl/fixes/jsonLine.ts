import { containerAt, type JsonContainer, type JsonPart, rootOf } from '../scanning/jsonMembers';
import { parseJsonLine } from '../scanning/jsonText';
import { indexOf, type JsonPath, memberOf, type PlacedPart } from './jsonParts';

/** Immutable line without its line end, for computing fixes. Reads each object and array only once. */
export class JsonLine {
  private readonly containers = new Map<number, JsonContainer | undefined>();
  /** Results of `once`, keyed by function. */
  private readonly facts = new Map<unknown, unknown>();

  constructor(readonly text: string) {}

  /** True if the whole text is JSON. */
  get isComplete(): boolean {
    return this.once(isComplete);
  }

  get value(): unknown {
    return this.once(parse);
  }

  /** Outermost object or array of a line that is JSON. */
  get root(): JsonContainer | undefined {
    return this.once(findRoot);
  }

  /** Path of the params: `params`, or empty if the line is bare params. */
  get paramsPath(): readonly string[] {
    return memberOf(this.root, 'params') !== undefined || memberOf(this.root, 'custom_id') !== undefined ? ['params'] : [];
  }

  /** Returns the object or array that starts at a column, or `undefined` if there is another value. */
  containerAt(at: number): JsonContainer | undefined {
    if (!this.containers.has(at)) {
      this.containers.set(at, containerAt(this.text, at));
    }
    return this.containers.get(at);
  }

  objectAt(part: JsonPart | undefined): JsonContainer | undefined {
    return part && this.text[part.start] === '{' ? this.containerAt(part.start) : undefined;
  }

  arrayAt(part: JsonPart | undefined): JsonContainer | undefined {
    return part && this.text[part.start] === '[' ? this.containerAt(part.start) : undefined;
  }

  inParams(...path: JsonPath): PlacedPart | undefined {
    return this.partAt([...this.paramsPath, ...path]);
  }

  /** Returns the part at `path`, if any. Of duplicate keys, takes the one at column `near`, or else the last. */
  partAt(path: JsonPath, near = -1): PlacedPart | undefined {
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

  /** Returns the result of `find`, computed once for the line. Callers must pass the same function each time. */
  once<T>(find: (line: JsonLine) => T): T {
    if (!this.facts.has(find)) {
      this.facts.set(find, find(this));
    }
    return this.facts.get(find) as T;
  }

  valueOf(part: JsonPart | undefined): unknown {
    return part && JSON.parse(this.raw(part));
  }

  raw(part: JsonPart): string {
    return this.text.slice(part.start, part.end);
  }
}

const isComplete = ({ text }: JsonLine) => parseJsonLine(text).complete;
const parse = (line: JsonLine): unknown => (line.isComplete ? JSON.parse(line.text) : undefined);
const findRoot = ({ text }: JsonLine) => rootOf(text);
