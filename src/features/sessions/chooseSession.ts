import * as vscode from 'vscode';
import { askId, type Choice, separator } from '../../common/asking/askSteps';
import { pickListed, toChoice } from '../../common/asking/pickListed';
import type { SessionReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { readyConnection } from '../connection';
import { referenceOf } from './facts/listedSession';
import { loadMoreSessions } from './list/loadMoreSessions';
import { groupTitle } from './list/sessionGroups';
import { abilitiesOf, presentSession } from './list/sessionPresentation';
import type { SessionActionContext } from './sessionActionContext';

/** Argument of a command on sessions: a row, a reference, or the kind `session` to choose a session. */
export type SessionTarget = SessionReference | string;

/**
 * Returns the session for a command. This is the command's argument, or the session of the active panel if `prefersActive`. Otherwise asks
 * the user to select a session with `ability`, or to enter an ID. Throws a `CancelledError` if the user cancels.
 */
export async function chooseSession(
  deps: SessionActionContext,
  target: SessionTarget | undefined,
  ability = 'session',
  prefersActive = true,
): Promise<SessionReference> {
  // Commands in the title bar of a panel get an unrelated argument.
  const named = typeof target === 'object' && typeof target.sessionId === 'string' ? target : undefined;
  const given = named ?? (prefersActive && typeof target !== 'string' ? deps.panels.active : undefined);
  if (typeof given?.sessionId === 'string') {
    return { connection: given.connection, sessionId: given.sessionId };
  }
  const { store } = deps;
  const { name } = await readyConnection(deps.connections);
  const chosen = await pickListed<SessionReference | 'id'>({
    title: vscode.l10n.t('Sessions of {0}', toLabel(name, 60)),
    placeholder: vscode.l10n.t('Select a session'),
    none: () => vscode.l10n.t('No sessions'),
    list: store.list,
    choices: () => choicesOf(deps, ability),
    read: () => (store.list.isListed ? loadMoreSessions(deps) : deps.refresh()),
    byId: sessionId => ({ connection: name, sessionId }),
  });
  return chosen === 'id'
    ? { connection: name, sessionId: await askId({ title: vscode.l10n.t('Session'), prompt: vscode.l10n.t('ID of the session') }) }
    : chosen;
}

function choicesOf({ store, presentation }: SessionActionContext, ability: string): readonly Choice<SessionReference | 'id'>[] {
  const context = presentation();
  const sessions = store.groups().flatMap(({ name, sessions: listed }) => {
    const able = listed.filter(one => abilitiesOf(one).split(' ').includes(ability));
    const choices = able.map(one => toChoice(presentSession(one, context), one.session.id, referenceOf(one)));
    return choices.length === 0 ? [] : [separator(groupTitle(name, context.translate)), ...choices];
  });
  const byId: Choice<'id'> = { label: `$(edit) ${vscode.l10n.t('Enter Session ID...')}`, alwaysShow: true, value: 'id' };
  return [...sessions, separator(''), byId];
}
