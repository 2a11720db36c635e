import * as vscode from 'vscode';
import { ServiceError } from '../../client/transport/errors';
import { CancelledError } from '../../common/cancellation';
import { describeError } from '../../common/text/describeError';
import { withoutIcons } from '../../common/text/withoutIcons';
import { withoutLinks } from '../../common/text/withoutLinks';
import type { SessionReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { describeSession, reachToChange, type SessionActionContext } from './sessionActionContext';

/** Unsent texts, by connection and session. */
export type Drafts = Map<string, string>;

/**
 * Asks for a message and sends it. The box keeps its text until the service has the message; an unsent text is offered again the next time.
 * `text` is the initial value, `problem` the reason why it is asked for again.
 */
export async function sendMessage(
  deps: SessionActionContext,
  drafts: Drafts,
  target: SessionReference,
  begun: { readonly text?: string; readonly problem?: string } = {},
): Promise<void> {
  // Reports everything that prevents sending before the user types.
  await reachToChange(deps, target);
  const key = JSON.stringify([target.connection, target.sessionId]);
  const input = vscode.window.createInputBox();
  input.title = vscode.l10n.t('Send to "{0}"', describeSession(deps, target));
  input.placeholder = vscode.l10n.t('Message');
  input.prompt = vscode.l10n.t('Press Enter to send.');
  input.value = begun.text ?? drafts.get(key) ?? '';
  input.validationMessage = begun.problem;
  input.ignoreFocusOut = true;
  const user = new AbortController();
  const listeners: vscode.Disposable[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const send = async () => {
        const text = input.value;
        if (text.trim() === '' || input.busy) {
          return;
        }
        drafts.set(key, text);
        input.busy = true;
        input.enabled = false;
        input.validationMessage = undefined;
        try {
          const { client } = await reachToChange(deps, target);
          await sendText(client.sessions, target.sessionId, text, AbortSignal.any([user.signal, deps.lifetime]));
          drafts.delete(key);
          resolve();
        } catch (error) {
          deps.log.error('A message could not be sent', error);
          input.validationMessage = describeFailure(error);
        } finally {
          input.busy = false;
          input.enabled = true;
        }
      };
      listeners.push(
        input.onDidAccept(() => void send()),
        input.onDidChangeValue(text => {
          drafts.set(key, text);
          input.validationMessage = undefined;
        }),
        input.onDidHide(() => {
          user.abort();
          reject(new CancelledError());
        }),
      );
      input.show();
    });
  } finally {
    for (const listener of listeners) {
      listener.dispose();
    }
    input.dispose();
  }
  vscode.window.setStatusBarMessage(vscode.l10n.t('Sent to "{0}"', withoutIcons(describeSession(deps, target))), 3000);
}

/** Sends a message of the user. */
export async function sendText(
  sessions: { send(id: string, events: readonly object[], options?: { readonly signal?: AbortSignal }): Promise<unknown> },
  sessionId: string,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  await sessions.send(sessionId, [{ type: 'user.message', content: [{ type: 'text', text }] }], { signal });
}

/** Describes why a message was not sent, or that its outcome is unknown. Shown below an input box. */
export function describeFailure(error: unknown): string {
  const words = withoutLinks(toLabel(describeError(error), 400));
  return error instanceof ServiceError && error.outcome === 'unknown'
    ? vscode.l10n.t('The message may have arrived. Check the session before you send it again. {0}', words)
    : vscode.l10n.t('Not sent. {0}', words);
}
