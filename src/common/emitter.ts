import type { Disposable, Event } from 'vscode';

/** Event source with VS Code's `Event` shape that works without VS Code, so that stores can be tested in plain Node. */
export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => unknown>();

  readonly event: Event<T> = (listener, thisArgument, disposables) => {
    const bound = (value: T) => listener.call(thisArgument, value);
    this.listeners.add(bound);
    const disposable: Disposable = { dispose: () => this.listeners.delete(bound) };
    disposables?.push(disposable);
    return disposable;
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      listener(value);
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
