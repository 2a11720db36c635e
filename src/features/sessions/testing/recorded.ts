import { comparableInput } from './comparableInput';
import { type AgentCall, nameOfTool, type ToolName } from './sessionTest';

/** Something that was recorded, its place among all of its kind, and by what it was chosen. */
export interface Found<T> {
  readonly entry: T;
  readonly index: number;
  readonly by: 'arguments' | 'order';
}

/** What was recorded of calls, to be given out once each. */
export class Recorded<T extends ToolName & { readonly input?: unknown }> {
  private readonly used = new Set<number>();

  constructor(
    private readonly entries: readonly T[],
    private readonly ignore: readonly string[],
  ) {}

  /**
   * What was recorded of a call: of the same tool with the same arguments, else the next of the tool that was not given out. Undefined when there is
   * none left.
   */
  take(call: AgentCall): Found<T> | undefined {
    const name = nameOfTool(call);
    const input = comparableInput(call.input, this.ignore);
    const left = this.entries.flatMap((entry, index) => (this.used.has(index) || nameOfTool(entry) !== name ? [] : [{ entry, index }]));
    const same = left.find(({ entry }) => entry.input === undefined || comparableInput(entry.input, this.ignore) === input);
    const found = same ?? left[0];
    if (found === undefined) {
      return undefined;
    }
    this.used.add(found.index);
    return { ...found, by: same === undefined ? 'order' : 'arguments' };
  }
}
