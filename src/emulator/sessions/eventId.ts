import { randomId } from '../state/randomId';

/** Id of a new event. */
export function newEventId(): string {
  return `sevt_${randomId(24)}`;
}
