import type { Memento } from 'vscode';

/** The questions that the user does not want to see in the inbox, by their ids there, kept for this workspace. Bounded. */
export class DismissedQuestions {
  constructor(private readonly memento: Pick<Memento, 'get' | 'update'>) {}

  all(): ReadonlySet<string> {
    const kept: unknown = this.memento.get(key);
    return new Set(Array.isArray(kept) ? kept.filter(id => typeof id === 'string') : []);
  }

  add(id: string): void {
    const kept = [...this.all()].filter(other => other !== id);
    // What cannot be kept is in the inbox once more, which hurts nobody.
    this.memento.update(key, [...kept, id].slice(-mostKept)).then(undefined, () => undefined);
  }
}

const key = 'managedAgents.dismissedQuestions';
const mostKept = 500;
