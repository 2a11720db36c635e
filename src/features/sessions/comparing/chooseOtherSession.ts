import * as vscode from 'vscode';
import { type Choice, separator } from '../../../common/asking/askSteps';
import { pickListed, toChoice } from '../../../common/asking/pickListed';
import type { SessionReference } from '../../../contributions';
import { loadMoreSessions } from '../list/sessionListActions';
import { presentSession } from '../list/sessionPresentation';
import type { SessionActionContext } from '../sessionActionContext';
import { otherSessions } from './otherSessions';

/**
 * Asks for the session to compare another one with. Sessions with the same first message come first, followed by those of the same agent.
 * Throws a `CancelledError` if the user cancels.
 */
export async function chooseOtherSession(deps: SessionActionContext, one: SessionReference): Promise<SessionReference> {
  const { t } = vscode.l10n;
  const { store } = deps;
  const choices = (): readonly Choice<SessionReference>[] => {
    const context = deps.presentation();
    const { alike, sameAgent, others } = otherSessions(store.sessions(), one);
    const groups = [
      [t('The same agent and first message'), alike],
      [t('The same agent'), sameAgent],
      [t('Other sessions'), others],
    ] as const;
    return groups.flatMap(([label, sessions]) =>
      sessions.length === 0
        ? []
        : [
            separator(label),
            ...sessions.map(each =>
              toChoice(presentSession(each, context), each.session.id, { connection: each.connection, sessionId: each.session.id }),
            ),
          ],
    );
  };
  return await pickListed<SessionReference>({
    title: t('Compare Sessions'),
    placeholder: t('Select a session'),
    none: () => t('No other sessions'),
    list: store.list,
    choices,
    read: () => (store.list.isListed ? loadMoreSessions(deps) : deps.refresh()),
    byId: sessionId => ({ connection: one.connection, sessionId }),
  });
}
