import { randomId } from '../state/randomId';

/** Returns the id of a new event. */
export function newEventId(): string {
  return `sevt_${randomId(24)}`;
}
