import type { Memento } from 'vscode';

/** IDs of questions that the user dismissed from the inbox, saved for this workspace. Limited in number. */
export class DismissedQuestions {
  private readonly ids: Set<string>;

  constructor(
    private readonly memento: Pick<Memento, 'get' | 'update'>,
    private readonly onAdd: () => void = () => undefined,
  ) {
    const saved: unknown = memento.get(key);
    this.ids = new Set(Array.isArray(saved) ? saved.filter(id => typeof id === 'string') : []);
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
    for (const oldest of [...this.ids].slice(0, -maxSaved)) {
      this.ids.delete(oldest);
    }
    // A failed write shows the question again after a reload. This is harmless.
    this.memento.update(key, [...this.ids]).then(undefined, () => undefined);
    this.onAdd();
  }
}

const key = 'managedAgents.dismissedQuestions';
const maxSaved = 500;
