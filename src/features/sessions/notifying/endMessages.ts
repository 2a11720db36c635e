import type { PresentationContext } from '../../../common/text/presentation';
import { describeRest } from '../../../shared/session/facts/sessionState';
import type { ListedSession } from '../facts/listedSession';
import { describeState, groupOf } from '../list/sessionGroups';
import { describeCost, nameOf } from '../list/sessionPresentation';

/** Describes how a session ended, with its cost. */
export function describeEnd(listed: ListedSession, context: PresentationContext): string {
  const { translate } = context;
  const { rest } = listed;
  const name = nameOf(listed);
  const why = describeRest(rest, translate).replace(/\.$/, '');
  const cost = describeCost(listed.session, context);
  const isNamed = rest?.kind === 'budget' || rest?.kind === 'judged';
  const end = isNamed
    ? translate('"{0}": {1}', name, describeState(listed, translate))
    : groupOf(listed) !== 'failed'
      ? rest?.kind === 'asked'
        ? translate('"{0}" asked a question', name)
        : translate('"{0}" finished', name)
      : why === ''
        ? translate('"{0}" failed', name)
        : translate('"{0}" failed: {1}', name, why);
  return cost === '' ? end : `${end} · ${cost}`;
}
