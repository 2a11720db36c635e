import type { ValuePath } from './testDocument';

/** Reason why a test did not finish, as a message for the user, with the path of the related value in its document. */
export class TestStopped extends Error {
  override readonly name = 'TestStopped';

  constructor(
    message: string,
    readonly path: ValuePath = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
