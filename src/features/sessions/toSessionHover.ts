import { escapeMarkdown } from '../../common/text/escapeMarkdown';
import { describeMoment, nameWithHost, type PresentationContext } from '../../common/text/presentation';
import { numberFormat } from '../../shared/formats';
import { describeProgress, describeRest } from '../../shared/session/facts/sessionState';
import type { ListedSession } from './facts/listedSession';
import { describeState } from './list/sessionGroups';
import { describeAsk, describeCost, nameOf } from './list/sessionPresentation';

type Row = readonly [name: string, value: string];

/** Returns the hover of a session in Markdown: its status, what it waits for, its tokens by bucket. Has no links. */
export function toSessionHover(
  listed: ListedSession,
  connection: { readonly name: string; readonly host: string },
  context: PresentationContext,
): string {
  const { translate } = context;
  const { session, state, asks } = listed;
  const cost = describeCost(session, context);
  const rows: readonly Row[] = [
    ...asks.slice(0, 5).map(ask => [translate('Pending'), describeAsk(ask, context)] as const),
    [translate('ID'), session.id],
    ...agentRows(listed, context),
    ...tokenRows(listed, context),
    ...(cost === '' ? [] : [[translate('Cost'), cost] as const]),
    ...timeRows(listed, context),
    ...(session.environment_id ? [[translate('Environment'), session.environment_id] as const] : []),
    [translate('Connection'), nameWithHost(connection)],
  ];
  const status = state === 'archived' ? ` (${session.status ?? '?'})` : '';
  const word = describeState(listed, translate);
  const why =
    listed.problem === undefined ? describeRest(listed.rest, translate) : describeProgress(listed.problem, translate, context.locale);
  const reason = why === '' || why === word.toLowerCase() ? '' : `: ${why}`;
  const heading = `**${escapeMarkdown(nameOf(listed))}** · ${escapeMarkdown(`${word}${status}${reason}`)}`;
  return `${heading}\n\n${rows.map(([name, value]) => `${escapeMarkdown(name)}: ${escapeMarkdown(value)}`).join('  \n')}`;
}

function agentRows({ session: { agent } }: ListedSession, { translate }: PresentationContext): readonly Row[] {
  if (!agent) {
    return [];
  }
  const model = typeof agent.model === 'string' ? agent.model : agent.model?.id;
  const version = typeof agent.version === 'number' ? translate('version {0}', agent.version) : '';
  return [
    [translate('Agent'), [agent.name || agent.id, version].filter(Boolean).join(', ')],
    ...(model ? [[translate('Model'), model] as const] : []),
  ];
}

function tokenRows({ session: { usage, stats } }: ListedSession, { translate, locale }: PresentationContext): readonly Row[] {
  const number = numberFormat(locale);
  const count = (name: string, value: number | null | undefined): readonly Row[] =>
    typeof value === 'number' ? [[name, number.format(value)]] : [];
  const { ephemeral_1h_input_tokens: long, ephemeral_5m_input_tokens: short } = usage?.cache_creation ?? {};
  const written = typeof long === 'number' || typeof short === 'number' ? (long ?? 0) + (short ?? 0) : undefined;
  const active = stats?.active_seconds ?? usage?.active_seconds;
  return [
    ...count(translate('Input tokens'), usage?.input_tokens),
    ...count(translate('Output tokens'), usage?.output_tokens),
    ...count(translate('Cache read tokens'), usage?.cache_read_input_tokens),
    ...count(translate('Cache write tokens'), written),
    ...(typeof active === 'number' ? [[translate('Active'), translate('{0} s', number.format(Math.round(active)))] as const] : []),
  ];
}

function timeRows({ session }: ListedSession, context: PresentationContext): readonly Row[] {
  const { translate } = context;
  const times: readonly (readonly [string, string | null | undefined])[] = [
    [translate('Created'), session.created_at],
    [translate('Last change'), session.updated_at],
    [translate('Archived'), session.archived_at],
  ];
  return times.flatMap(([name, time]) => (time && !Number.isNaN(Date.parse(time)) ? [[name, describeMoment(time, context)] as const] : []));
}
