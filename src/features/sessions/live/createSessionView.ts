import { defined } from '../../../shared/defined';
import {
  type Fields,
  greater,
  isNotBefore,
  listOf,
  type Moment,
  numberOf,
  objectOf,
  textOf,
  toMoment,
} from '../../../shared/session/eventFields';
import type { Observed, SessionFacts } from '../../../shared/session/facts/sessionFacts';
import { restIn, stateOf } from '../../../shared/session/facts/sessionState';
import { laterTokens, type Money, noTokens, tokenBuckets, toMoney, toTokens } from '../../../shared/session/facts/tokens';
import { restOf } from '../../../shared/session/facts/turn';
import { toPrettyJson } from '../../../shared/session/rows/parts';
import { type SessionView, whyNotTexts } from '../../../shared/session/sessionView';
import type { TranscriptState } from '../../../shared/session/transcript';
import { toLabel } from '../../../shared/text';
import type { SessionSource } from '../facts/sessionSource';
import { toolDefinitionOf } from './toolDefinition';
import { threadsOfRuns, toRunViews } from './toRunViews';
import { toThreadViews } from './toThreadViews';

/**
 * Returns the view of a session from the session object and its events, whichever is newer. If neither has a time, the events count. A
 * value that nobody reported is `undefined`, never 0.
 */
export function createSessionView(source: SessionSource, state: TranscriptState, byRule?: SessionView['byRule']): SessionView {
  const { facts } = state;
  const session: Fields = source.session ?? {};
  const sessionAt = source.isPast === true ? undefined : toMoment(session.updated_at);
  /** Returns the value from an event, unless the session object is newer. */
  const newer = <T>(fact: Observed<T> | undefined): T | undefined =>
    fact !== undefined && isNewer(fact.at, sessionAt) ? fact.value : undefined;
  const now: Fields = source.isPast === true ? {} : session;

  const status = newer(facts.status) ?? textOf(now.status) ?? facts.status?.value ?? '';
  const isDeleted = facts.isDeleted || source.isDeleted === true;
  const isArchived = textOf(now.archived_at) !== undefined;
  const isWaiting = state.asks.some(ask => ask.answering !== true);
  const turnRest = restOf(facts.turn);
  const view = isDeleted ? 'deleted' : stateOf({ status, isArchived, isWaiting, rest: turnRest });
  const rest = view === 'deleted' ? undefined : restIn(view, turnRest);
  const isOpen = view !== 'deleted' && view !== 'archived' && view !== 'terminated';
  const allThreads = toThreadViews(source, state, status, isOpen);
  const threadNames = new Map(allThreads.map(({ id, name }) => [id, name]));
  const ofRuns = threadsOfRuns(source, state);
  const threads = allThreads.filter(({ id }) => !ofRuns.has(id) || source.opened?.has(id));
  const runs = toRunViews(source, state, allThreads);
  const asks = (isOpen ? state.asks : []).map(ask => ({
    ...ask,
    ...defined({ threadName: threadNames.get(ask.thread ?? ''), definition: toolDefinitionOf(source, ask) }),
  }));
  const cost = latestCost(facts, now);
  const isBudgetNewer = facts.budget !== undefined && isNewer(facts.budget.at, sessionAt);
  const budget = toBudget(isBudgetNewer ? facts.budget?.value : session.budget);
  const isSpent = rest?.kind === 'budget' && !isRaised(budget, cost);
  const whyNot = view === 'deleted' || view === 'archived' || view === 'terminated' ? view : isSpent ? 'budget' : undefined;
  const createdAt = toMoment(session.created_at)?.ms;
  const updatedAt = greater(sessionAt?.ms, facts.lastAt?.ms);
  const vaults = listOf(session.vault_ids).flatMap(id => source.vaultNames?.get(String(id)) ?? textOf(id) ?? []);
  const createdFiles = source.files?.map(({ id, filename, size_bytes }) => ({
    ...{ id, name: toLabel(textOf(filename) ?? id), bytes: numberOf(size_bytes) },
  }));
  return {
    id: textOf(session.id) ?? '',
    title: toLabel(newer(facts.title) ?? textOf(session.title) ?? ''),
    firstWords: source.isPartial === true ? '' : facts.firstWords,
    state: view,
    status,
    agent: toAgent(newer(facts.agent) ?? objectOf(session.agent)),
    createdAt,
    updatedAt,
    activeSeconds: activeSeconds(facts, now),
    durationSeconds: numberOf(objectOf(now.stats)?.duration_seconds) ?? secondsBetween(createdAt, updatedAt),
    ...tokensOf(facts, now),
    threads,
    asks,
    outcomes: toOutcomes(facts, now, sessionAt),
    resources: listOf(session.resources).map(toResource),
    canSend: whyNot === undefined && source.isPast !== true,
    ...defined({ rest, endId: rest && facts.turn.endId, environmentId: textOf(session.environment_id), cost, budget, byRule }),
    ...defined({ runs: unlessEmpty(runs), vaults: unlessEmpty(vaults), createdFiles: unlessEmpty(createdFiles) }),
    ...defined({ isPartial: source.isPartial || undefined, whyNot: whyNot && whyNotTexts[whyNot] }),
  };
}

function unlessEmpty<T>(list: readonly T[] = []): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function isNewer(at: Moment | undefined, sessionAt: Moment | undefined): boolean {
  return at === undefined || sessionAt === undefined || isNotBefore(at, sessionAt);
}

function toAgent(agent: Fields | undefined): SessionView['agent'] {
  if (agent === undefined) {
    return undefined;
  }
  const model = textOf(objectOf(agent.model)?.id) ?? textOf(agent.model) ?? '';
  return {
    id: textOf(agent.id) ?? '',
    name: toLabel(textOf(agent.name) ?? ''),
    version: numberOf(agent.version),
    model: toLabel(model),
  };
}

/**
 * Returns the token counts of a session. Counts only grow, so the greater of two is the later one. Spans are added up only if the service
 * reports no sum, or reports 0 although spans have tokens.
 */
function tokensOf(facts: SessionFacts, now: Fields): Pick<SessionView, 'tokens' | 'areTokensSummed'> {
  const current = toTokens(now.usage);
  const reported = toTokens(facts.usage?.value);
  if (current === undefined && reported === undefined) {
    return { tokens: facts.spans };
  }
  const tokens = laterTokens(current ?? noTokens, reported ?? noTokens);
  const isContradicted = tokenBuckets.some(bucket => tokens[bucket] === 0 && (facts.spans[bucket] ?? 0) > 0);
  return isContradicted ? { tokens: laterTokens(tokens, facts.spans), areTokensSummed: true } : { tokens };
}

function latestCost(facts: SessionFacts, now: Fields): Money | undefined {
  const current = toMoney(objectOf(now.usage)?.list_cost);
  const reported = toMoney(facts.usage?.value.list_cost);
  return current === undefined || (reported !== undefined && reported.cents > current.cents) ? reported : current;
}

function toBudget(value: unknown): SessionView['budget'] {
  if (value == null) {
    return undefined;
  }
  const limit = objectOf(value);
  return toMoney(limit?.max_list_cost) ?? { json: toPrettyJson(value) };
}

/** Returns whether a session that reached its budget can continue: the budget was removed, or is greater than the cost so far. */
function isRaised(budget: SessionView['budget'], cost: Money | undefined): boolean {
  if (budget === undefined || cost === undefined || 'json' in budget) {
    return budget === undefined;
  }
  return budget.currency === cost.currency && budget.cents > cost.cents;
}

function activeSeconds(facts: SessionFacts, now: Fields): number | undefined {
  const current = numberOf(objectOf(now.stats)?.active_seconds) ?? numberOf(objectOf(now.usage)?.active_seconds);
  const reported = greater(current, numberOf(facts.usage?.value.active_seconds));
  return reported ?? (facts.activeMs === undefined ? undefined : facts.activeMs / 1000);
}

function secondsBetween(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : Math.max(0, to - from) / 1000;
}

type OutcomeView = SessionView['outcomes'][number];

function toOutcomes(facts: SessionFacts, now: Fields, sessionAt: Moment | undefined): readonly OutcomeView[] {
  const outcomes = new Map([...facts.outcomes].map(([id, { at: _, ...outcome }]): [string, OutcomeView] => [id, { id, ...outcome }]));
  for (const evaluation of listOf(now.outcome_evaluations)) {
    const fields = objectOf(evaluation) ?? {};
    const id = textOf(fields.outcome_id) ?? textOf(fields.id) ?? '';
    const reported: OutcomeView = {
      id,
      description: textOf(fields.description) ?? '',
      result: textOf(fields.result) ?? textOf(fields.status) ?? '',
      iteration: numberOf(fields.iteration),
      explanation: textOf(fields.explanation) ?? '',
    };
    const known = outcomes.get(id) ?? reported;
    const [newer, older] = isNewer(facts.outcomes.get(id)?.at, sessionAt) ? [known, reported] : [reported, known];
    outcomes.set(id, {
      id,
      description: known.description || reported.description,
      result: newer.result || older.result,
      iteration: newer.iteration ?? older.iteration,
      explanation: newer.explanation || older.explanation,
    });
  }
  return [...outcomes.values()];
}

function toResource(value: unknown): SessionView['resources'][number] {
  const resource = objectOf(value) ?? {};
  const name = textOf(resource.name) ?? textOf(resource.url) ?? textOf(resource.file_id) ?? textOf(resource.memory_store_id);
  return {
    type: toLabel(textOf(resource.type) ?? ''),
    name: toLabel(name ?? textOf(resource.id) ?? ''),
    mountPath: toLabel(textOf(resource.mount_path) ?? ''),
  };
}
