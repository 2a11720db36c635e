import { join, type PresentationContext } from '../../../common/text/presentation';
import type { ListedSession } from '../list/listedSession';
import { describeCost, nameOf } from '../list/sessionPresentation';
import { describeRest } from '../list/sessionRest';

/** Whether a session ended otherwise than it should. */
export function isTrouble({ state, rest }: ListedSession): boolean {
  return (
    state === 'failed' || state === 'terminated' || rest?.kind === 'budget' || (rest?.kind === 'judged' && rest.result !== 'satisfied')
  );
}

/** What became of a session, in one sentence. */
export function describeEnd(listed: ListedSession, context: PresentationContext): string {
  const { translate } = context;
  const name = nameOf(listed);
  const cost = describeCost(listed.session, context);
  const words = join(', ', listed.state === 'terminated' ? '' : describeRest(listed.rest, translate), cost);
  switch (listed.state) {
    case 'terminated':
      return cost === '' ? translate('"{0}" was terminated.', name) : translate('"{0}" was terminated ({1}).', name, cost);
    case 'failed':
      return translate('"{0}" failed: {1}.', name, words);
    default:
      return translate('"{0}" has ended its turn: {1}.', name, words);
  }
}
