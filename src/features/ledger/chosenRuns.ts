import type { Disposable } from 'vscode';
import { Emitter } from '../../common/emitter';
import { type Run, resultsOf, resultsOfSource, toRuns } from './runs';
import type { Submission } from './submission';

/** Storage of choices across reloads, with the methods of VS Code's workspace state. */
interface ChoiceState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const stateKey = 'managedAgents.chosenRuns';

interface Choice {
  readonly runId: string;
  /** The run whose results were shown by default when the choice was made. */
  readonly newest: string;
}

/** Runs whose results the user wants to see at a file's lines instead of the newest results. A choice ends when newer results arrive. */
export class ChosenRuns implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly state: ChoiceState) {}

  /** Returns the chosen run of a file if it still has results. `source` is a URI string. */
  runOf(submissions: readonly Submission[], source: string): Run | undefined {
    const choice = this.choices()[source];
    if (choice === undefined || resultsOfSource(submissions, source)?.run.id !== choice.newest) {
      return undefined;
    }
    const run = toRuns(submissions).find(({ id }) => id === choice.runId);
    return run !== undefined && resultsOf(run) !== undefined ? run : undefined;
  }

  /** Shows the results of a run at the lines of a file. Without a run, shows the newest results again. */
  async choose(submissions: readonly Submission[], source: string, runId: string | undefined): Promise<void> {
    const newest = resultsOfSource(submissions, source)?.run.id;
    const others = Object.fromEntries(Object.entries(this.choices()).filter(([other]) => other !== source));
    const choice = runId === undefined || newest === undefined ? {} : { [source]: { runId, newest } };
    await this.state.update(stateKey, { ...others, ...choice });
    this.changed.fire();
  }

  private choices(): Readonly<Record<string, Choice>> {
    return (this.state.get(stateKey) ?? {}) as Readonly<Record<string, Choice>>;
  }

  dispose(): void {
    this.changed.dispose();
  }
}
