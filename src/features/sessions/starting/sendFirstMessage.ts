import * as vscode from 'vscode';
import type { Sessions } from '../../../client/serviceClient';
import type { SessionReference } from '../../../contributions';
import { describeFailure, sendText } from '../sendMessage';
import type { SessionActionContext } from '../sessionActionContext';

/**
 * Sends the first message of a newly started session, once. Throws an error with a message for the user if it was not sent or the outcome
 * is unknown. The text is then shown in a document, so that it is not lost. `show` shows an existing one instead.
 */
export async function sendFirstMessage(
  deps: Pick<SessionActionContext, 'log' | 'lifetime'>,
  sessions: Sessions,
  { sessionId }: SessionReference,
  text: string,
  show = async (): Promise<unknown> =>
    vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text, language: 'markdown' })),
): Promise<void> {
  try {
    await sendText(sessions, sessionId, text, deps.lifetime);
  } catch (error) {
    deps.log.error('The first message of a session could not be sent', error);
    await show();
    throw new Error(
      vscode.l10n.t('The session {0} was started, its first message is in an editor. {1}', sessionId, describeFailure(error)),
    );
  }
}
