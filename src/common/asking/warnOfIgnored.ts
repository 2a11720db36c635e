import * as vscode from 'vscode';
import type { IgnoredField } from '../../client/ignoredFields';
import { describeIgnored } from '../text/describeIgnored';
import { showWarning } from './notifications';

/** Warns of fields that the service did not save. Does nothing if the service saved all fields. */
export function warnOfIgnored(name: string, { ignored = [] }: { readonly ignored?: readonly IgnoredField[] }): void {
  if (ignored.length > 0) {
    void showWarning(describeIgnored(name, ignored, vscode.l10n.t));
  }
}
