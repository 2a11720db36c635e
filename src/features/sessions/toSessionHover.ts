import { escapeMarkdown } from '../../common/text/escapeMarkdown';
import { describeMoment, join, nameWithHost, type PresentationContext } from '../../common/text/presentation';
import { numberFormat } from '../../shared/formats';
import { describeProgress } from '../../shared/session/facts/describeProgress';
import { describeRest } from '../../shared/session/facts/sessionState';
import type { ListedSession } from './facts/listedSession';
import { describeState } from './list/sessionGroups';
import { describeAsk, describeCost, nameOf } from './list/sessionPresentation';

/** Returns the hover of a session in Markdown: its status, what it waits for, its tokens by bucket. Has no links. */
export function toSessionHover(
  listed: ListedSession,
  connection: { readonly name: string; readonly host: string },
  context: PresentationContext,
): string {
  const { translate, locale } = context;
  const { session, state, asks } = listed;
  const { agent, usage, stats } = session;
  const count = (value: number | null | undefined) => (typeof value === 'number' ? numberFormat(locale).format(value) : '');
  const moment = (time: string | null | undefined) => (time && !Number.isNaN(Date.parse(time)) ? describeMoment(time, context) : '');
  const { ephemeral_1h_input_tokens: long, ephemeral_5m_input_tokens: short } = usage?.cache_creation ?? {};
  const written = typeof long === 'number' || typeof short === 'number' ? (long ?? 0) + (short ?? 0) : undefined;
  const active = stats?.active_seconds ?? usage?.active_seconds;
  const version = typeof agent?.version === 'number' ? translate('version {0}', agent.version) : '';
  const rows: readonly (readonly [name: string, value: string | null | undefined])[] = [
    ...asks.slice(0, 5).map(ask => [translate('Pending'), describeAsk(ask, context)] as const),
    [translate('ID'), session.id],
    [translate('Agent'), agent && join(', ', agent.name || agent.id, version)],
    [translate('Model'), typeof agent?.model === 'string' ? agent.model : agent?.model?.id],
    [translate('Input tokens'), count(usage?.input_tokens)],
    [translate('Output tokens'), count(usage?.output_tokens)],
    [translate('Cache read tokens'), count(usage?.cache_read_input_tokens)],
    [translate('Cache write tokens'), count(written)],
    [translate('Active'), typeof active === 'number' ? translate('{0} s', count(Math.round(active))) : ''],
    [translate('Cost'), describeCost(session, context)],
    [translate('Created'), moment(session.created_at)],
    [translate('Last change'), moment(session.updated_at)],
    [translate('Archived'), moment(session.archived_at)],
    [translate('Environment'), session.environment_id],
    [translate('Connection'), nameWithHost(connection)],
  ];
  const status = state === 'archived' ? ` (${session.status ?? '?'})` : '';
  const word = describeState(listed, translate);
  const why = listed.problem === undefined ? describeRest(listed.rest, translate) : describeProgress(listed.problem, translate, locale);
  const reason = why === '' || why === word.toLowerCase() ? '' : `: ${why}`;
  const heading = `**${escapeMarkdown(nameOf(listed))}** · ${escapeMarkdown(`${word}${status}${reason}`)}`;
  const lines = rows.flatMap(([name, value]) => (value ? `${escapeMarkdown(name)}: ${escapeMarkdown(value)}` : []));
  return `${heading}\n\n${lines.join('  \n')}`;
}
