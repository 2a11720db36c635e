import { comparableInput } from './comparableInput';
import { type AgentCall, nameOfTool, type ToolName } from './sessionTest';

/** Recorded entry, its index among all entries of its kind, and the rule that selected it. */
export interface Found<T> {
  readonly entry: T;
  readonly index: number;
  readonly by: 'arguments' | 'order';
}

/** Recorded responses to calls. Each is used at most once. */
export class Recorded<T extends ToolName & { readonly input?: unknown }> {
  private readonly used = new Set<number>();

  constructor(
    private readonly entries: readonly T[],
    private readonly ignore: readonly string[],
  ) {}

  /**
   * Returns the unused entry for a call: one of the same tool with the same arguments, else the next one of the tool. `undefined` if none
   * is left.
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
