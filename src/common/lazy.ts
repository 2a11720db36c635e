import type { Disposable } from 'vscode';

/** Value that is created once, on first use. After a failure, the next use tries again. Disposing the `Lazy` also disposes the value. */
export class Lazy<T extends Disposable> implements Disposable {
  private loading: Promise<T> | undefined;
  private value: T | undefined;
  private isDisposed = false;

  constructor(private readonly make: () => Promise<T>) {}

  get current(): T | undefined {
    return this.value;
  }

  /** Returns the value. Rejects if the value could not be created. */
  get(): Promise<T> {
    this.loading ??= this.make().then(
      value => {
        this.value = value;
        if (this.isDisposed) {
          value.dispose();
        }
        return value;
      },
      (error: unknown) => {
        this.loading = undefined;
        throw error;
      },
    );
    return this.loading;
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      this.value?.dispose();
    }
  }
}
