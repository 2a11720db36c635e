import { describeError } from '../../../../common/text/describeError';
import type { Translate } from '../../../../common/text/translate';
import { inputOf } from '../../../../shared/session/rows/buildToolRow';
import { toPrettyJson } from '../../../../shared/session/rows/parts';
import type { WholePart } from '../../../../shared/session/rows/rowParts';
import type { LiveSession } from '../../live/liveSession';

/** Finds the complete arguments of an ask in the log that has its call. Returns a message if there are none. */
export async function findArguments(
  session: Pick<LiveSession, 'transcript' | 'view' | 'findEvent'>,
  eventId: string,
  signal: AbortSignal,
  t: Translate,
): Promise<WholePart | string> {
  const part = session.transcript('')?.partOf(eventId, 'ask');
  if (part !== undefined) {
    return part;
  }
  const ask = session.view.asks.find(one => one.eventId === eventId);
  try {
    const event = await session.findEvent(eventId, ask?.thread, signal);
    const input = event && inputOf(event);
    if (input !== undefined) {
      return { type: 'json', text: toPrettyJson(input) };
    }
  } catch (error) {
    return t("The arguments couldn't be loaded: {0}", describeError(error));
  }
  return t("The arguments aren't available.");
}
