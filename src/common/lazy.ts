import type { Disposable } from 'vscode';

/** A part that is made when it is first asked for, once; after a failure it is tried again. Disposed with whatever became of it. */
export class Lazy<T extends Disposable> implements Disposable {
  private making: Promise<T> | undefined;
  private made: T | undefined;
  private isDisposed = false;

  constructor(private readonly make: () => Promise<T>) {}

  /** The part, if it is there. */
  get current(): T | undefined {
    return this.made;
  }

  /** The part. Rejects when it could not be made. */
  get(): Promise<T> {
    this.making ??= this.make().then(
      made => {
        this.made = made;
        if (this.isDisposed) {
          made.dispose();
        }
        return made;
      },
      (error: unknown) => {
        this.making = undefined;
        throw error;
      },
    );
    return this.making;
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      this.made?.dispose();
    }
  }
}
