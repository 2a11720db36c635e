import { isRecord } from '../shared/isRecord';
import type { AuthForm, ServiceClientOptions } from './clientOptions';
import { collections, type Dialect, type DialectName, dialects, type ResourceGroup, templateModel } from './dialect';
import { decodePage } from './resources/resource';
import { ServiceError } from './transport/errors';
import { Transport } from './transport/transport';

interface ProbeOptions
  extends Pick<ServiceClientOptions, 'baseUrl' | 'allowInsecureHttp' | 'network' | 'timeouts' | 'log' | 'userAgent' | 'clock'> {
  readonly key: string;
  /** Current settings, preferred unless the responses contradict them. */
  readonly preferred?: { readonly auth: AuthForm; readonly dialect: DialectName };
  readonly signal?: AbortSignal;
}

/** State of a group's collection. `missing` means a 404, `refused` any other error. */
export type GroupState = 'served' | 'missing' | 'refused';

export interface ProbeResult {
  /** Authentication and dialect that worked best. `undefined` if nothing worked. */
  readonly auth: AuthForm | undefined;
  readonly dialect: DialectName | undefined;
  /** True if a response contains names of the dialect. Otherwise the dialect is a guess. */
  readonly isDialectCertain: boolean;
  /** Resource groups with a collection. Empty if nothing worked. */
  readonly groups: ReadonlyMap<ResourceGroup, GroupState>;
  /** Reason why nothing worked: the service's response to a wrong key, or a network error. */
  readonly failure: ServiceError | undefined;
}

/** Groups that distinguish dialects: `models` checks no beta, the other two check the header or the query. */
const telling: readonly ResourceGroup[] = ['models', 'batches', 'agents'];
/** Groups whose items contain names of the dialect. */
const speaking: readonly ResourceGroup[] = ['sessions', 'skills'];
const forms: readonly AuthForm[] = ['x-api-key', 'bearer'];
const names: readonly DialectName[] = ['contract', 'anthropic-2023', 'anthropic-2026'];
/** Most widely accepted dialect, used if no response contains names of a dialect. */
const likeliest: DialectName = 'anthropic-2023';

interface Trial {
  readonly auth: AuthForm;
  readonly dialect: DialectName;
  readonly answers: ReadonlyMap<ResourceGroup, unknown>;
}

/**
 * Finds out how to call a service, with reads of one item only. Tries which authentication header it accepts (never both in one request),
 * which dialect fits, and which resource groups it serves. The key is sent only to the origin of `baseUrl`. Throws a `ServiceError` if
 * `signal` aborts or `baseUrl` is invalid. Any other failure is in the result.
 */
export async function probeService(options: ProbeOptions): Promise<ProbeResult> {
  const trials: Trial[] = [];
  for (const auth of options.preferred?.auth === 'bearer' ? forms.toReversed() : forms) {
    for (const dialect of names) {
      const trial: Trial = { auth, dialect, answers: await ask(options, auth, dialect, telling) };
      const unreachable = failures(trial).find(error => error.status === undefined || error.kind === 'redirect' || error.kind === 'proxy');
      if (unreachable !== undefined && score(trial) === 0) {
        return nothingWorked(unreachable);
      }
      trials.push(trial);
      if (failures(trial).some(error => error.kind === 'authentication') && score(trial) === 0) {
        // The key was refused, so another dialect can't help.
        break;
      }
    }
    if (trials.some(trial => trial.auth === auth && score(trial) === telling.length)) {
      break;
    }
  }

  const { best, isDialectCertain } = await choose(trials, options);
  if (best === undefined) {
    const all = trials.flatMap(failures);
    const failure = all.find(error => error.kind === 'authentication') ?? all.find(error => error.kind !== 'not_found') ?? all[0];
    return nothingWorked(failure);
  }
  const rest = [...collections.keys()].filter(group => !best.answers.has(group));
  const answers = new Map([...best.answers, ...(await ask(options, best.auth, best.dialect, rest))]);
  const groups = new Map([...answers].map(([group, answer]) => [group, toState(answer)]));
  return { auth: best.auth, dialect: best.dialect, isDialectCertain, groups, failure: undefined };
}

function nothingWorked(failure: ServiceError | undefined): ProbeResult {
  return { auth: undefined, dialect: undefined, isDialectCertain: false, groups: new Map(), failure };
}

/** Reads one item of each group's collection. Returns the body or the error. */
async function ask(
  options: ProbeOptions,
  auth: AuthForm,
  dialect: DialectName,
  groups: readonly ResourceGroup[],
): Promise<ReadonlyMap<ResourceGroup, unknown>> {
  const { baseUrl, key, timeouts } = options;
  const transport = new Transport({
    ...options,
    auth,
    dialect: dialects[dialect],
    credential: async () => ({ key, origin: new URL(baseUrl).origin }),
    timeouts: { firstByte: 20_000, call: 30_000, ...timeouts },
  });
  try {
    const answers = groups.map(async (group): Promise<readonly [ResourceGroup, unknown]> => {
      try {
        const path = collections.get(group) ?? '';
        const call = { method: 'GET', group, path, query: [['limit', '1']], signal: options.signal } as const;
        const { data } = await transport.json(call, (value, failures) => decodePage(transport, value, call, failures));
        return [group, data];
      } catch (error) {
        if (!(error instanceof ServiceError) || error.kind === 'aborted') {
          throw error;
        }
        return [group, error];
      }
    });
    return new Map(await Promise.all(answers));
  } finally {
    await transport.close();
  }
}

/**
 * Chooses the trial to which most groups responded. In a tie, dialect names in models, agents and errors decide, then those in sessions and
 * skills. After that, the current settings win, then the dialect's default header. If no such names occur, the likeliest dialect wins,
 * because its headers do no harm at a service that ignores them.
 */
async function choose(trials: readonly Trial[], options: ProbeOptions) {
  const most = Math.max(0, ...trials.map(score));
  const tied = trials.filter(trial => score(trial) === most);
  const [first] = tied;
  if (most === 0 || first === undefined) {
    return { best: undefined, isDialectCertain: false };
  }
  const isAccepted = new Set(tied.map(({ dialect }) => dialects[dialect].headerPrefix)).size === 1;
  const bodies = trials.flatMap(({ answers }) => [...answers.values()]);
  let distinct = namedMost(tied, bodies);
  if (distinct.length === 0 && !isAccepted) {
    distinct = namedMost(tied, [...(await ask(options, first.auth, first.dialect, speaking)).values()]);
  }
  const isLikely = ({ dialect }: Trial) => Number(dialect === likeliest);
  const candidates = distinct.length > 0 ? distinct : tied.toSorted((a, b) => isLikely(b) - isLikely(a));
  const { preferred } = options;
  const best =
    candidates.find(({ auth, dialect }) => auth === preferred?.auth && dialect === preferred.dialect) ??
    candidates.find(({ auth }) => auth === preferred?.auth) ??
    (distinct.length > 0 ? candidates.find(({ auth, dialect }) => dialects[dialect].defaultAuth === auth) : undefined) ??
    candidates[0];
  return { best, isDialectCertain: isAccepted || distinct.length > 0 };
}

/** Returns the trials whose dialect's names occur in the most responses. Empty if no response contains such names. */
function namedMost(trials: readonly Trial[], said: readonly unknown[]): readonly Trial[] {
  const counts = new Map(trials.map(trial => [trial, said.filter(answer => speaks(answer, dialects[trial.dialect])).length]));
  const most = Math.max(0, ...counts.values());
  return most === 0 ? [] : trials.filter(trial => counts.get(trial) === most);
}

/**
 * Returns whether a response contains names that only one family of dialects uses. These are names of models, repositories and skills, or
 * of headers in an error.
 */
function speaks(answer: unknown, dialect: Dialect): boolean {
  if (answer instanceof ServiceError) {
    return (answer.serviceMessage ?? '').toLowerCase().includes(`${dialect.headerPrefix}-`);
  }
  return records(isRecord(answer) ? answer.data : []).some(item => {
    const { id, type, source, model, agent, resources, skills } = item;
    return (
      hasModel(type === 'model' || type === undefined ? id : undefined, dialect) ||
      // An agent may have been created from our template, so its model only shows the guessed dialect.
      (hasModel(model, dialect) && modelIdOf(model) !== templateModel(dialect)) ||
      type === dialect.vendorSkillType ||
      source === dialect.vendorSkillType ||
      (isRecord(agent) && speaks({ data: [agent] }, dialect)) ||
      [resources, skills].some(list =>
        records(list).some(one => one.type === dialect.repositoryType || one.type === dialect.vendorSkillType),
      )
    );
  });
}

function hasModel(model: unknown, { modelPrefix }: Dialect): boolean {
  const id = modelIdOf(model);
  return typeof id === 'string' && id.startsWith(modelPrefix);
}

function modelIdOf(model: unknown): unknown {
  return isRecord(model) ? model.id : model;
}

function records(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function score(trial: Trial): number {
  return [...trial.answers.values()].filter(answer => !(answer instanceof ServiceError)).length;
}

function failures(trial: Trial): readonly ServiceError[] {
  return [...trial.answers.values()].filter(answer => answer instanceof ServiceError);
}

function toState(answer: unknown): GroupState {
  return !(answer instanceof ServiceError) ? 'served' : answer.status === 404 ? 'missing' : 'refused';
}
