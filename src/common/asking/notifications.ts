import * as vscode from 'vscode';
import { withoutLinks } from '../text/withoutLinks';

/** Characters. VS Code cuts a notification without buttons to one line, which holds about this many. */
const oneLine = 60;

/**
 * Shows a notification that answers the button that was pressed; undefined for none. Nothing in its text becomes a link. A long one without
 * buttons gets one that only closes it, so that all of it can be read.
 */
export function showInformation<T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined> {
  return show(vscode.window.showInformationMessage, message, buttons);
}

/** As `showInformation`, for what the user should look at. */
export function showWarning<T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined> {
  return show(vscode.window.showWarningMessage, message, buttons);
}

/** As `showInformation`, for what went wrong; a long one without buttons leads to the log. */
export function showFailure<T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined> {
  return show(vscode.window.showErrorMessage, message, buttons, true);
}

async function show<T extends string>(
  way: (message: string, ...buttons: readonly string[]) => Thenable<string | undefined>,
  message: string,
  buttons: readonly T[],
  isFailure = false,
): Promise<T | undefined> {
  const isCut = buttons.length === 0 && message.length > oneLine;
  const shown = isCut ? [isFailure ? vscode.l10n.t('Show Log') : vscode.l10n.t('OK')] : buttons;
  const answer = await way(withoutLinks(message), ...shown);
  if (isCut && isFailure && answer !== undefined) {
    await vscode.commands.executeCommand('managedAgents.log.show');
  }
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
