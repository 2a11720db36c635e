import * as vscode from 'vscode';
import type { Sessions } from '../../../client/serviceClient';
import type { SessionReference } from '../../../contributions';
import { describeFailure, sendText } from '../sendMessage';
import type { SessionActionContext } from '../sessionActionContext';

/**
 * Sends the first message of a session that was just started, once. Throws a sentence when it was not sent or nobody knows; its text is then shown
 * as a document, so that it is not lost; `show` does that where there is one already.
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
