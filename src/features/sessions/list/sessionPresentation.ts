import type { Session } from '../../../client/resources/sessions';
import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import {
  describeMoment,
  describeSince,
  nameWithHost,
  type PresentationContext,
  type RowPresentation,
  shortId,
  toRow,
} from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { numberFormat } from '../../../shared/formats';
import { describeProgress, describeRest, isRunning, type SessionState } from '../../../shared/session/facts/sessionState';
import { toMoney } from '../../../shared/session/facts/tokens';
import type { SessionRest } from '../../../shared/session/facts/turn';
import { toArgumentsLine } from '../../../shared/session/rows/argumentsLine';
import { join, toLabel } from '../../../shared/text';
import type { ListedSession } from '../facts/listedSession';
import type { OpenAsk } from '../facts/openAsks';
import { describeState, groupOf, groupTitle, type SessionGroup } from './sessionGroups';
import type { Coverage, SessionSort } from './sessionStore';

/** Presents a session: its name, then its need or the reason why it is idle, and its age. If sorted by cost, the cost comes first. */
export function presentSession(listed: ListedSession, context: PresentationContext, sort: SessionSort = 'needsYou'): RowPresentation {
  const { translate } = context;
  const { session } = listed;
  const label = nameOf(listed);
  const need = describeNeed(listed, context);
  const state = describeState(listed, translate);
  const reason = need === '' ? describeReason(listed, state, context) : '';
  const age = describeRowAge(timeOf(listed), context);
  const cost = describeCost(session, context);
  const others = [
    describeByRule(listed, translate),
    listed.isElsewhere === true ? toLabel(listed.connection, 40) : '',
    toLabel(session.agent?.name ?? '', 40),
    sort === 'cost' ? '' : cost,
  ];
  const first = sort === 'cost' ? cost : '';
  return {
    label,
    description: join(' · ', first, need === '' ? '' : shortened(need), reason, age, ...others),
    ...iconOf(listed),
    abilities: abilitiesOf(listed),
    spoken: join(', ', state, label, need, reason === state ? '' : reason, first, age, ...others),
  };
}

/** Describes the oldest ask of a session and the number of other asks. Without asks, returns the question, or '' if there is none. */
function describeNeed({ asks: [first, ...others], state, question }: ListedSession, context: PresentationContext): string {
  const { translate } = context;
  if (state === 'unknown') {
    return translate("couldn't be read");
  }
  if (first !== undefined) {
    const what = describeAsk(first, context);
    return others.length === 0 ? what : translate('{0} (+{1})', what, others.length);
  }
  if (question === undefined) {
    return '';
  }
  const text = toLabel(oneLine(question.text), 80);
  return text === '' ? translate('asked a question') : translate('asked: "{0}"', text);
}

/** Describes why a session seems stuck or is idle, unless its group already shows that. */
function describeReason({ rest, state, problem }: ListedSession, word: string, { translate, locale }: PresentationContext): string {
  if (problem !== undefined) {
    return describeProgress(problem, translate, locale);
  }
  if (state === 'other' || rest?.kind === 'budget' || rest?.kind === 'judged') {
    return word;
  }
  return rest?.kind === 'done' || rest?.kind === 'asked' ? '' : describeRest(rest, translate);
}

/** Shortens a session's need, so that the age next to it stays visible. */
function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}

function describeByRule({ byRule }: ListedSession, translate: Translate): string {
  if (byRule === undefined) {
    return '';
  }
  const name = toLabel(byRule.ruleName, 40);
  return byRule.result === 'allow' ? translate('allowed by rule "{0}"', name) : translate('denied by rule "{0}"', name);
}

/** Returns the time whose age a row shows: that of the oldest open ask, as in the inbox, or otherwise of the last change. */
function timeOf({ session, state, asks }: ListedSession): string | null | undefined {
  const times = state === 'waiting' ? asks.flatMap(({ at }) => at ?? []) : [];
  return times.length === 0 ? (session.updated_at ?? session.created_at) : new Date(Math.min(...times)).toISOString();
}

/** Describes an age in whole minutes. All ages change at the start of a minute, so the view needs no refresh in between. */
function describeRowAge(time: string | null | undefined, context: PresentationContext): string {
  const now = minuteOf(context);
  const isRecent = now - Date.parse(time ?? '') < minute;
  return describeSince(isRecent ? new Date(now).toISOString() : time, { ...context, now });
}

/** Returns the start of the current minute. All ages are relative to it. */
export function minuteOf({ now }: Pick<PresentationContext, 'now'>): number {
  return Math.floor(now / minute) * minute;
}

/** Duration for which all ages stay the same, in milliseconds. */
export const minute = 60_000;

/** Presents the heading of a group with the number of its sessions. *Needs You* also shows how many were checked, if not all are known. */
export function presentGroup({ name, sessions }: SessionGroup, coverage: Coverage, context: PresentationContext): RowPresentation {
  const label = groupTitle(name, context.translate);
  const count = countOf(sessions.length, name === 'needsYou' ? coverage : undefined, context);
  return toRow(label, [count], { icon: '', abilities: ['group', name] });
}

/** Presents the row of the sessions of a deployment: its name and their number. */
export function presentDeployment(name: string, sessions: number, { translate, locale }: PresentationContext): RowPresentation {
  const count = translate('{0} sessions', numberFormat(locale).format(sessions));
  return toRow(name, [count], { icon: 'rocket', abilities: ['deployment'] });
}

/** Returns the title or first words of a session, or its ID, as a label. */
export function nameOf({ name, session }: Pick<ListedSession, 'name' | 'session'>): string {
  return name === undefined ? shortId(session.id) : toLabel(name.replace(/\s+/g, ' '), 80);
}

/** Formats the cost of a session by the service's prices: `$1.20`. Returns '' if the cost is unknown or zero. */
export function describeCost({ usage }: Pick<Session, 'usage'>, { locale }: PresentationContext): string {
  const cost = toMoney(usage?.list_cost);
  if (cost === undefined || cost.cents <= 0 || !/^[A-Z]{3}$/i.test(cost.currency)) {
    return '';
  }
  const format = numberFormat(locale, { style: 'currency', currency: cost.currency });
  return cost.cents < 1 ? `< ${format.format(0.01)}` : format.format(cost.cents / 100);
}

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

/** Describes an ask in one line: the tool and its arguments in words. */
export function describeAsk({ kind, tool, input }: OpenAsk, { translate }: Pick<PresentationContext, 'translate'>): string {
  const name = toLabel(tool ?? '', 60);
  if (name === '') {
    return translate('needs an answer');
  }
  if (kind === 'customTool') {
    return translate('{0} needs a result', name);
  }
  const json = typeof input === 'string' ? input : input === undefined ? '' : JSON.stringify(input);
  const words = json === '{}' ? '' : toLabel(oneLine(toArgumentsLine(json)), 80);
  return words === '' ? name : `${name} ${words}`;
}

function oneLine(text: string): string {
  return text.slice(0, 1000).replace(/\s+/g, ' ').trim();
}

/**
 * Returns the words of a session for the `when` clauses of menus. A running session is deletable, because deleting it offers to interrupt
 * it first.
 */
export function abilitiesOf({ state, session: { status } }: Pick<ListedSession, 'state' | 'session'>): string {
  const isArchived = state === 'archived';
  const runs = isRunning(state) || (state === 'failed' && status === 'running');
  const abilities: readonly (readonly [name: string, has: boolean])[] = [
    ['session', true],
    ['deletable', true],
    ['sendable', !isArchived && state !== 'terminated'],
    ['interruptible', runs || state === 'waiting'],
    ['renamable', !isArchived],
    ['archivable', !isArchived],
    ['waiting', state === 'waiting'],
  ];
  return abilities.flatMap(([name, has]) => (has ? name : [])).join(' ');
}

/** Presents the badge with the number of sessions in *Needs You*. `undefined` if there are no such sessions. */
export function presentBadge(value: number, coverage: Coverage, context: PresentationContext) {
  const { translate } = context;
  return value === 0 ? undefined : { value, tooltip: translate('Needs you: {0}', countOf(value, coverage, context)) };
}

/** Formats a count: `5`, or `5 of the newest 200` if not all sessions are known. */
function countOf(value: number, coverage: Coverage | undefined, { translate, locale }: PresentationContext): string {
  const format = numberFormat(locale);
  return coverage?.isPart === true
    ? translate('{0} of the newest {1}', format.format(value), format.format(Math.max(value, coverage.known)))
    : format.format(value);
}

type Icon = Pick<RowPresentation, 'icon' | 'color'>;

function iconOf({ state, rest, problem }: Pick<ListedSession, 'state' | 'rest' | 'problem'>): Icon {
  if (problem !== undefined) {
    return { icon: 'watch', color: warning };
  }
  if (state !== 'idle') {
    return stateIcons[state];
  }
  if (rest?.kind === 'judged') {
    return rest.result === 'satisfied' ? { icon: 'verified', color: 'charts.green' } : { icon: 'unverified', color: warning };
  }
  return rest === undefined ? { icon: 'comment', color: undefined } : restIcons[rest.kind];
}

const warning = 'list.warningForeground';

const stateIcons: Readonly<Record<Exclude<SessionState, 'idle'>, Icon>> = {
  waiting: { icon: 'bell-dot', color: warning },
  failed: { icon: 'warning', color: 'list.errorForeground' },
  running: { icon: 'sync~spin', color: 'charts.blue' },
  rescheduling: { icon: 'history', color: warning },
  terminated: { icon: 'error', color: 'list.errorForeground' },
  archived: { icon: 'archive', color: 'disabledForeground' },
  unknown: { icon: 'question', color: warning },
  other: { icon: 'circle-outline', color: undefined },
};

/** Icons of idle sessions, by the reason. */
const restIcons: Readonly<Record<Exclude<SessionRest['kind'], 'judged'>, Icon>> = {
  done: { icon: 'pass', color: undefined },
  asked: { icon: 'comment-unresolved', color: undefined },
  budget: { icon: 'credit-card', color: warning },
  refused: { icon: 'circle-slash', color: warning },
  empty: { icon: 'comment', color: warning },
  failed: { icon: 'comment', color: undefined },
  other: { icon: 'comment', color: undefined },
};

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
