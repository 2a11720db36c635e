import * as vscode from 'vscode';
import { withoutLinks } from '../text/withoutLinks';

/** Approximate number of characters to which VS Code cuts a notification without buttons. */
const oneLine = 60;

/**
 * Shows a notification. Returns the pressed button, or `undefined`. Nothing in its text becomes a link. A long notification without buttons
 * gets a button that closes the notification. VS Code then shows the whole text.
 */
export function showInformation<T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined> {
  return show(vscode.window.showInformationMessage, message, buttons);
}

/** Shows a warning like `showInformation`, for something that needs the user's attention. */
export function showWarning<T extends string>(message: string, ...buttons: readonly T[]): Promise<T | undefined> {
  return show(vscode.window.showWarningMessage, message, buttons);
}

/** Shows a failure like `showInformation`. A long notification without buttons gets a button that opens the log. */
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

export type Offer = readonly [label: string, run: () => Thenable<unknown>];

/** Shows a notification with `way` (such as `showWarning`) and runs the action of the pressed button. Settles when the action is done. */
export async function offer(way: typeof showWarning, message: string, ...offers: readonly (Offer | false | undefined)[]): Promise<void> {
  const shown = offers.filter(one => one !== false && one !== undefined);
  const pressed = await way(message, ...shown.map(([label]) => label));
  await shown.find(([label]) => label === pressed)?.[1]();
}

/** Shows a notification about a written file, with a button that opens it. Returns immediately. */
export function offerToOpen(message: string, file: vscode.Uri): void {
  void offer(showInformation, message, [vscode.l10n.t('Open'), () => vscode.commands.executeCommand('vscode.open', file)]);
}

/** Shows a modal dialog. Returns `undefined` if the user cancelled. Nothing in its texts becomes a link. */
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

/** Asks the user for a permission that programs and chats need. Returns whether the user gave it. */
export async function askToAllow(question: string, detail: string): Promise<boolean> {
  const allow = vscode.l10n.t('Allow');
  // The first button must be safe, because a user who types into a chat may press Enter just when the question appears.
  return (await askModal(question, { detail }, vscode.l10n.t("Don't Allow"), allow)) === allow;
}
