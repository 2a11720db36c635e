import * as vscode from 'vscode';
import { withoutLinks } from '../text/withoutLinks';

/** Characters. VS Code cuts a notification without buttons to one line, which holds about this many. */
const oneLine = 60;

/**
 * Shows a notification that answers the button that was pressed; undefined for none. Nothing in its text becomes a link. A long one without
 * buttons gets one that only closes it, so that all of it can be read.
 */
export async function showInformation<T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined> {
  return toAnswer(buttons, await vscode.window.showInformationMessage(withoutLinks(message), ...orClose(message, buttons)));
}

/** As `showInformation`, for what the user should look at. */
export async function showWarning<T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined> {
  return toAnswer(buttons, await vscode.window.showWarningMessage(withoutLinks(message), ...orClose(message, buttons)));
}

/** As `showInformation`, for what went wrong; a long one without buttons leads to the log. */
export async function showFailure<T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined> {
  const log = vscode.l10n.t('Show Log');
  const offersLog = buttons.length === 0 && message.length > oneLine;
  const answer = await vscode.window.showErrorMessage(withoutLinks(message), ...(offersLog ? [log] : buttons));
  if (offersLog && answer === log) {
    await vscode.commands.executeCommand('managedAgents.log.show');
  }
  return toAnswer(buttons, answer);
}

function orClose(message: string, buttons: readonly string[]): readonly string[] {
  return buttons.length === 0 && message.length > oneLine ? [vscode.l10n.t('OK')] : buttons;
}

function toAnswer<T extends string>(buttons: readonly T[], answer: string | undefined): T | undefined {
  return buttons.find(button => button === answer);
}

/** Asks in a dialog that has to be answered; undefined where the user turned back. Nothing in its texts becomes a link. */
export async function askModal<T extends string | vscode.MessageItem>(
  message: string,
  { detail }: { readonly detail?: string },
  ...buttons: readonly T[]
): Promise<T | undefined> {
  const options = { modal: true, ...(detail !== undefined && { detail: withoutLinks(detail) }) };
  return await vscode.window.showWarningMessage<T & vscode.MessageItem>(
    withoutLinks(message),
    options,
    ...(buttons as readonly (T & vscode.MessageItem)[]),
  );
}
