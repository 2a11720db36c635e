import type { Memento } from 'vscode';

/** In-memory `Memento` that stores JSON. Share an instance between windows to test a restart. */
export class MemoryMemento implements Pick<Memento, 'get' | 'update'> {
  private readonly values = new Map<string, string>();

  get<T>(key: string): T | undefined {
    const json = this.values.get(key);
    return json === undefined ? undefined : (JSON.parse(json) as T);
  }

  async update(key: string, value: unknown): Promise<void> {
    this.values.set(key, JSON.stringify(value));
  }
}
