import type { PresentationContext } from '../../../common/text/presentation';
import { describeRest } from '../../../shared/session/facts/sessionState';
import type { ListedSession } from '../list/listedSession';
import { describeCost, nameOf } from '../list/sessionPresentation';

/** Whether a session ended otherwise than it should. */
export function isTrouble({ state, rest }: ListedSession): boolean {
  return (
    state === 'failed' ||
    state === 'terminated' ||
    rest?.kind === 'budget' ||
    rest?.kind === 'refused' ||
    rest?.kind === 'empty' ||
    (rest?.kind === 'judged' && rest.result !== 'satisfied')
  );
}

/** What became of a session, in one sentence. */
export function describeEnd(listed: ListedSession, context: PresentationContext): string {
  const { translate } = context;
  const cost = describeCost(listed.session, context);
  const name = cost === '' ? `"${nameOf(listed)}"` : `"${nameOf(listed)}" (${cost})`;
  // The service's sentences end with a full stop.
  const why = describeRest(listed.rest, translate).replace(/\.$/, '');
  switch (listed.state) {
    case 'terminated':
      return why === '' ? translate('{0} was terminated.', name) : translate('{0} was terminated: {1}.', name, why);
    case 'failed':
      return translate('{0} failed: {1}.', name, why);
    default:
      return translate('{0} has ended its turn: {1}.', name, why);
  }
}
