import { randomId } from '../state/randomId';

export function newEventId(): string {
  return `sevt_${randomId(24)}`;
}
