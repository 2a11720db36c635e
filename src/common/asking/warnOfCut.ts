import { describeError } from '../text/describeError';
import { showWarning } from './notifications';

/** Warns that a list was not read to its end. */
export function warnOfCut(error: Error): void {
  void showWarning(describeError(error));
}
