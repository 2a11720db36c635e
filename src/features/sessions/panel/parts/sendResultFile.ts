import * as vscode from 'vscode';
import { describeError } from '../../../../common/text/describeError';
import type { Conversation, SendResult } from '../../live/conversation';
import { askForResultFile } from './resultFile';

/** Asks the user for a file and sends its content as the result of a custom tool. */
export async function sendResultFile(actions: Conversation, clientId: string, eventId: string): Promise<SendResult> {
  const ask = actions.openAsk(eventId);
  try {
    const file = ask && (await askForResultFile(ask.tool));
    if (ask !== undefined && file === undefined) {
      return { ok: false };
    }
    const result = await actions.customResult(clientId, eventId, file?.content ?? [], false);
    if (result.ok && file !== undefined) {
      vscode.window.setStatusBarMessage(vscode.l10n.t('Sent {0} ({1}) as the result', file.name, file.size), 5000);
    }
    return result;
  } catch (error) {
    return { ok: false, problem: describeError(error) };
  }
}
