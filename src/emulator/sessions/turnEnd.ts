import type { StopReason } from './storedSession';

/** Result of a call that was running when its thread was interrupted. */
export const interruptedWords = 'Interrupted by the user before it was finished.';

/** Thrown into a script whose thread was interrupted. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Thrown by a script to end its turn with another reason than `end_turn`. */
export class TurnEnd extends Error {
  override readonly name = 'TurnEnd';

  constructor(readonly stop: StopReason['type'] | 'terminated') {
    super(stop);
  }
}
