import type { Place } from './testDocument';

/** Why a test did not come to its end, in words for people, and the place of its document that it is about. */
export class TestStopped extends Error {
  override readonly name = 'TestStopped';

  constructor(
    message: string,
    readonly place: Place = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
