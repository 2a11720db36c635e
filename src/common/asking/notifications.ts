import * as vscode from 'vscode';
import { withoutLinks } from '../text/withoutLinks';

/** Shows a notification that answers the button that was pressed; undefined for none. Nothing in its text becomes a link. */
export async function showInformation<T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined> {
  return await vscode.window.showInformationMessage(withoutLinks(message), ...buttons);
}

/** As `showInformation`, for what the user should look at. */
export async function showWarning<T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined> {
  return await vscode.window.showWarningMessage(withoutLinks(message), ...buttons);
}

/** As `showInformation`, for what went wrong. */
export async function showFailure<T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined> {
  return await vscode.window.showErrorMessage(withoutLinks(message), ...buttons);
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
