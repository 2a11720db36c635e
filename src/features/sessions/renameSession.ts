import * as vscode from 'vscode';
import { askText } from '../../common/asking/askSteps';
import { warnOfIgnored } from '../../common/asking/warnOfIgnored';
import type { SessionReference } from '../../contributions';
import { describeSession, reachToChange, type SessionActionContext } from './sessionActionContext';

/** Maximum length of a title, in characters (API facts, section 7). */
const longestTitle = 500;

/** Asks for a new title and sets it. */
export async function renameSession(deps: SessionActionContext, target: SessionReference): Promise<void> {
  const { client } = await reachToChange(deps, target);
  const { data: session } = await client.sessions.retrieve(target.sessionId);
  const title = await askText({
    title: vscode.l10n.t('Rename "{0}"', describeSession(deps, target)),
    prompt: vscode.l10n.t('Title of the session'),
    value: session.title ?? '',
    validate: text => (text.trim() === '' ? vscode.l10n.t('Enter a name') : describeTitleProblem(text)),
  });
  if (title.trim() !== session.title) {
    const answer = await client.sessions.update(target.sessionId, { title: title.trim() });
    deps.store.put(target.connection, answer.data);
    warnOfIgnored(describeSession(deps, target), answer);
  }
}

/** Returns why a title is invalid, or `undefined` if it is valid. An empty title is valid. */
export function describeTitleProblem(text: string): string | undefined {
  return Array.from(text.trim()).length > longestTitle ? vscode.l10n.t('Use at most {0} characters.', longestTitle) : undefined;
}
