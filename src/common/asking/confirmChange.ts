import * as vscode from 'vscode';
import { CancelledError } from '../cancellation';
import { hostOf, nameWithHost } from '../text/presentation';
import { askModal } from './notifications';

/** Question before a change on a service. Empty details are left out. */
interface ChangeQuestion {
  readonly title: string;
  readonly details: readonly string[];
  readonly button: string;
  /** Label of the button that changes nothing. `Cancel` by default. */
  readonly keep?: string;
}

/** Asks for confirmation in a modal dialog. Throws a `CancelledError` unless the user presses the button. */
export async function confirmModal(message: string, detail: string, button: string): Promise<void> {
  if ((await askModal(message, { detail }, button)) !== button) {
    throw new CancelledError();
  }
}

/** Names the connection and asks before a change. Throws a `CancelledError` unless the user agrees. */
export async function confirmChange(
  connection: { readonly name: string; readonly baseUrl: string },
  question: ChangeQuestion,
): Promise<void> {
  const where = vscode.l10n.t('Connection: {0}', nameWithHost({ name: connection.name, host: hostOf(connection) }));
  const detail = [where, ...question.details].filter(line => line !== '').join('\n\n');
  const agree: vscode.MessageItem = { title: question.button };
  const keep = question.keep === undefined ? [] : [{ title: question.keep, isCloseAffordance: true }];
  if ((await askModal(question.title, { detail }, agree, ...keep)) !== agree) {
    throw new CancelledError();
  }
}
