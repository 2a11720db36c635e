import type { WatchState } from '../../../client/events/watchUpdates';
import { describeError } from '../../../common/text/describeError';
import type { Translate } from '../../../common/text/translate';
import { redact } from '../../../shared/redaction';
import type { ConnectionView } from '../../../shared/session/sessionProtocol';

/** Returns the state of a watch for the panel's header. `isKnown` is true once the service has returned the session itself. */
export function toConnectionView(state: WatchState, now: number, isKnown: boolean, t: Translate): ConnectionView {
  switch (state.name) {
    case 'connecting':
    case 'live':
      return { name: state.name };
    case 'catchingUp':
      return { name: 'catchingUp', events: state.events };
    case 'polling':
      return { name: 'polling', everySeconds: Math.round(state.everyMs / 1000) };
    case 'reconnecting':
      return { name: 'reconnecting', retryInMs: Math.max(0, state.retryAt - now), problem: toProblem(state.error, t) };
    case 'ended':
      return { name: 'ended', reason: toReason(state, isKnown, t) };
  }
}

function toReason({ reason, error }: Extract<WatchState, { name: 'ended' }>, isKnown: boolean, t: Translate): string {
  switch (reason) {
    case 'deleted':
      return t('The session was deleted.');
    case 'closed':
      return error === undefined ? t('The connection was closed.') : toProblem(error, t);
    case 'unsupported':
      return isKnown ? t("This thread isn't updated live.") : t('Session not found. {0}', toProblem(error, t));
    case 'refused':
      return toProblem(error, t);
  }
}

function toProblem(error: unknown, t: Translate): string {
  // A response may quote the request, or contain secrets of the service.
  return error === undefined ? t('The connection was closed.') : redact(describeError(error));
}
