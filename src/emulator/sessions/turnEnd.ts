import type { StopReason } from './liveSession';

/** Thrown into a script whose thread was interrupted. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Thrown by a script to end its turn in another way than with `end_turn`. */
export class TurnEnd extends Error {
  override readonly name = 'TurnEnd';

  constructor(readonly stop: StopReason['type'] | 'terminated') {
    super(stop);
  }
}
