import { describeError } from '../text/describeError';
import { showWarning } from './notifications';

/** Warns that a list is incomplete. */
export function warnOfCut(error: Error): void {
  void showWarning(describeError(error));
}
