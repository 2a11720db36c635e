import { join, type PresentationContext, type RowPresentation, shortId } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import type { OpenAsk } from '../facts/openAsks';
import { describeAsk, describeRowAge } from '../list/sessionPresentation';
import type { Coverage } from '../list/sessionStore';
import type { WaitingSession, WaitingSessions } from './knownWaiting';

/** Something that waits, and the session that asks it. */
export interface Need {
  readonly session: WaitingSession;
  readonly ask: OpenAsk;
}

/** Everything that waits, the oldest first; what has no time was there before anybody looked. */
export function asksOf(waiting: WaitingSessions): readonly Need[] {
  return waiting
    .all()
    .flatMap(session => session.asks.map(ask => ({ session, ask })))
    .sort((a, b) => (a.ask.at ?? 0) - (b.ask.at ?? 0));
}

/** How much waits, and in how many sessions where there are others of which that is not known. */
export function describeNeeds(
  count: number,
  { isPart, known }: Pick<Coverage, 'isPart' | 'known'>,
  { translate, locale }: PresentationContext,
): string {
  const format = numberFormat(locale);
  return isPart ? translate('{0} in the newest {1} sessions', format.format(count), format.format(known)) : format.format(count);
}

/** The row of something that waits: tool and the first of its arguments, and beside it agent, session and age. */
export function presentNeed(
  { name, sessionId, agent }: Omit<WaitingSession, 'asks'>,
  ask: OpenAsk,
  context: PresentationContext,
): RowPresentation {
  const { translate } = context;
  const label = describeAsk(ask, context);
  const title = name === undefined ? shortId(sessionId) : toLabel(name.replace(/\s+/g, ' '), 60);
  const by = toLabel(agent ?? '', 40);
  const age = ask.at === undefined ? '' : describeRowAge(new Date(ask.at).toISOString(), context);
  const wants = ask.kind === 'customTool' ? translate('Wants a result') : translate('Asks for');
  return {
    label,
    description: join(' · ', by, title, age),
    icon: ask.kind === 'customTool' ? 'tools' : 'bell-dot',
    color: 'list.warningForeground',
    abilities: 'need',
    spoken: join(', ', `${wants} ${label}`, by, title, age),
  };
}

export interface WatchedFacts {
  readonly isTrusted: boolean;
  /** Connection whose sessions are listed, as far as they are. */
  readonly listed: string | undefined;
  /** Connections of the sessions that are followed, one for each. */
  readonly followed: readonly string[];
}

/** Who is watched: what is listed, and what is followed of whichever connection. */
export function describeWatchedBy({ isTrusted, listed, followed }: WatchedFacts, t: Translate): string {
  if (!isTrusted) {
    return t('Nothing is read in a workspace that is not trusted; only open sessions are watched.');
  }
  const connections = [...new Set(followed)].map(name => toLabel(name, 60)).join(', ');
  const list = listed === undefined ? '' : t('the listed sessions of {0}', toLabel(listed, 60));
  const ours =
    followed.length === 0
      ? ''
      : followed.length === 1
        ? t('1 session that you started or opened ({0})', connections)
        : t('{0} sessions that you started or opened ({1})', followed.length, connections);
  const who = [list, ours].filter(words => words !== '').join(t(' and '));
  return who === '' ? t('Nobody is watched: no connection is ready.') : t('Watched: {0}.', who);
}
