import type { Session } from '../../../client/schemas/sessions';
import { ageStays, describeSince, join, type PresentationContext, type RowPresentation, shortId } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { numberFormat } from '../../../shared/formats';
import { describeRest } from '../../../shared/session/facts/sessionState';
import { toMoney } from '../../../shared/session/facts/tokens';
import type { SessionRest } from '../../../shared/session/facts/turn';
import { toLabel } from '../../../shared/text';
import type { OpenAsk } from '../facts/openAsks';
import type { ListedSession } from './listedSession';
import { stateTitle } from './sessionFilter';
import type { Coverage } from './sessionStore';
import type { SessionGroup } from './shownSessions';

/** The row of a session: its name, and beside it why it rests, where the icon of what is done does not say all, agent, age, tokens and cost. */
export function presentSession(listed: ListedSession, context: PresentationContext): RowPresentation {
  const { translate } = context;
  const { session, state } = listed;
  const label = nameOf(listed);
  const { icon, color } = iconOf(listed);
  const place = listed.isElsewhere === true ? toLabel(listed.connection, 40) : '';
  const agent = toLabel(session.agent?.name ?? '', 40);
  const age = describeRowAge(timeOf(listed), context);
  const tokens = describeTokens(session, context);
  const cost = describeCost(session, context);
  const rest = describeRest(listed.rest, translate);
  const ownWord = state === 'other' && session.status ? toLabel(session.status, 40) : '';
  const rule = describeByRule(listed, translate);
  const ask = listed.asks[0] === undefined ? '' : describeAsk(listed.asks[0], context);
  return {
    label,
    description: join(
      ' · ',
      listed.isUnread === true ? '●' : '',
      ownWord,
      listed.rest?.kind === 'done' ? '' : rest,
      rule,
      place,
      agent,
      age,
      tokens,
      cost,
    ),
    icon,
    color,
    abilities: abilitiesOf(listed),
    spoken: join(
      ', ',
      stateTitle(state, translate),
      ownWord,
      label,
      listed.isUnread === true ? translate('unread') : '',
      rest,
      ask,
      rule,
      place,
      agent,
      age,
      tokens,
      cost,
    ),
  };
}

/** Describes the latest answer by a rule on this machine; '' if there is none. */
function describeByRule({ byRule }: ListedSession, translate: Translate): string {
  if (byRule === undefined) {
    return '';
  }
  const name = toLabel(byRule.ruleName, 40);
  return byRule.result === 'allow' ? translate('allowed by rule "{0}"', name) : translate('denied by rule "{0}"', name);
}

/** Returns the time whose age a row shows: that of the oldest open ask, as in the inbox, or of the last change. */
function timeOf({ session, state, asks }: ListedSession): string | null | undefined {
  const times = state === 'waiting' ? asks.flatMap(({ at }) => at ?? []) : [];
  return times.length === 0 ? (session.updated_at ?? session.created_at) : new Date(Math.min(...times)).toISOString();
}

/** An age that changes once a minute at most, and that of all rows at once, so that they rest while nothing happens. */
export function describeRowAge(time: string | null | undefined, context: PresentationContext): string {
  const now = minuteOf(context);
  const isRecent = now - Date.parse(time ?? '') < minute;
  return describeSince(isRecent ? new Date(now).toISOString() : time, { ...context, now });
}

/** Until when the row of a session says the same of its age, in milliseconds since 1970. */
export function rowStays(listed: ListedSession, context: Pick<PresentationContext, 'now'>): number {
  const now = minuteOf(context);
  const time = timeOf(listed);
  const stays = now - Date.parse(time ?? '') < minute ? minute : ageStays(time, now);
  return now + Math.ceil(stays / minute) * minute;
}

/** The moment by which ages are told: all rows grow older at once. */
export function minuteOf({ now }: Pick<PresentationContext, 'now'>): number {
  return Math.floor(now / minute) * minute;
}

const minute = 60_000;

/** The heading of a group, with how many it holds, and of how many where others may belong to it. */
export function presentGroup({ state, sessions }: SessionGroup, coverage: Coverage, context: PresentationContext): RowPresentation {
  const { translate } = context;
  const label = stateTitle(state, translate);
  const count = countOf(sessions.length, state === 'waiting' ? coverage : undefined, context);
  return { label, description: count, icon: '', color: undefined, abilities: `group ${state}`, spoken: `${label}, ${count}` };
}

/** Title or first words of a session, or its id, as a label. */
export function nameOf({ name, session }: Pick<ListedSession, 'name' | 'session'>): string {
  return name === undefined ? shortId(session.id) : toLabel(name.replace(/\s+/g, ' '), 80);
}

/** Input and output tokens together, `15K tokens`; `≥` where one of them is not told; '' where neither is, or nothing was used. */
export function describeTokens({ usage }: Pick<Session, 'usage'>, { translate, locale }: PresentationContext): string {
  const input = usage?.input_tokens ?? undefined;
  const output = usage?.output_tokens ?? undefined;
  const known = (input ?? 0) + (output ?? 0);
  if (known === 0) {
    return '';
  }
  const number = numberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }).format(known);
  return known === 1 && input !== undefined && output !== undefined
    ? translate('1 token')
    : translate('{0} tokens', input === undefined || output === undefined ? `≥ ${number}` : number);
}

/** What a session cost by the service's list of prices, `$1.20`; '' where it is not told, or nothing. */
export function describeCost({ usage }: Pick<Session, 'usage'>, { locale }: PresentationContext): string {
  const cost = toMoney(usage?.list_cost);
  if (cost === undefined || cost.cents <= 0 || !/^[A-Z]{3}$/i.test(cost.currency)) {
    return '';
  }
  const format = numberFormat(locale, { style: 'currency', currency: cost.currency });
  return cost.cents < 1 ? `< ${format.format(0.01)}` : format.format(cost.cents / 100);
}

/** What an ask wants, in one line: the tool and the first words of its arguments. */
export function describeAsk(ask: OpenAsk, { translate }: Pick<PresentationContext, 'translate'>): string {
  const tool = toLabel(ask.tool ?? '', 60);
  const input = toLabel(firstWords(ask.input), 80);
  if (tool === '') {
    return translate('a question');
  }
  return input === '' ? tool : `${tool}: ${input}`;
}

/** The first words of a call's arguments: of the only value where there is one text, else of all as JSON. */
function firstWords(input: unknown): string {
  if (typeof input === 'string') {
    return oneLine(input);
  }
  if (typeof input !== 'object' || input === null) {
    return '';
  }
  const [only, ...others] = Object.values(input);
  if (others.length === 0 && typeof only === 'string') {
    return oneLine(only);
  }
  const json = JSON.stringify(input);
  return json === '{}' ? '' : oneLine(json);
}

function oneLine(text: string): string {
  return text.slice(0, 1000).replace(/\s+/g, ' ').trim();
}

/** What one can do with a session in a state, as words that menus match. Deleting one that runs offers to interrupt it first. */
export function abilitiesOf({ state, session: { status } }: Pick<ListedSession, 'state' | 'session'>): string {
  const takesEvents = state !== 'archived' && state !== 'terminated';
  const words = ['session', 'deletable'];
  const add = (ability: string, has: boolean) => has && words.push(ability);
  add('sendable', takesEvents);
  add(
    'interruptible',
    state === 'running' || state === 'rescheduling' || state === 'waiting' || (state === 'failed' && status === 'running'),
  );
  add('renamable', state !== 'archived');
  add('archivable', state !== 'archived');
  add('waiting', state === 'waiting');
  return words.join(' ');
}

/** How many sessions wait, for the badge, and of how many that is known; undefined for none. */
export function presentBadge(waiting: readonly ListedSession[], coverage: Coverage, context: PresentationContext) {
  const { translate } = context;
  const value = waiting.length;
  if (value === 0) {
    return undefined;
  }
  const count = countOf(value, coverage, context);
  return {
    value,
    tooltip: value === 1 && !coverage.isPart ? translate('1 session waits for you') : translate('{0} sessions wait for you', count),
  };
}

/** `5`, or `5 of the newest 200` where there are others of which it is not known. */
function countOf(value: number, coverage: Coverage | undefined, { translate, locale }: PresentationContext): string {
  const format = numberFormat(locale);
  return coverage?.isPart === true
    ? translate('{0} of the newest {1}', format.format(value), format.format(Math.max(value, coverage.known)))
    : format.format(value);
}

function iconOf({ state, rest }: Pick<ListedSession, 'state' | 'rest'>): { readonly icon: string; readonly color: string | undefined } {
  switch (state) {
    case 'waiting':
      return { icon: 'bell-dot', color: 'list.warningForeground' };
    case 'failed':
      return { icon: 'warning', color: 'list.errorForeground' };
    case 'running':
      return { icon: 'sync~spin', color: 'charts.blue' };
    case 'rescheduling':
      return { icon: 'history', color: 'list.warningForeground' };
    case 'idle':
      return iconOfRest(rest);
    case 'terminated':
      return { icon: 'error', color: 'list.errorForeground' };
    case 'archived':
      return { icon: 'archive', color: 'disabledForeground' };
    case 'unknown':
      return { icon: 'question', color: 'list.warningForeground' };
    case 'other':
      return { icon: 'circle-outline', color: undefined };
  }
}

function iconOfRest(rest: SessionRest | undefined): { readonly icon: string; readonly color: string | undefined } {
  switch (rest?.kind) {
    case 'done':
      return { icon: 'pass', color: undefined };
    case 'asked':
      return { icon: 'comment-unresolved', color: undefined };
    case 'budget':
      return { icon: 'credit-card', color: 'list.warningForeground' };
    case 'judged':
      return rest.result === 'satisfied'
        ? { icon: 'verified', color: 'charts.green' }
        : { icon: 'unverified', color: 'list.warningForeground' };
    case 'refused':
      return { icon: 'circle-slash', color: 'list.warningForeground' };
    case 'empty':
      return { icon: 'comment', color: 'list.warningForeground' };
    case 'failed':
    case 'other':
    case undefined:
      return { icon: 'comment', color: undefined };
  }
}
