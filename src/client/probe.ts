import { type DialectName, dialects, type ResourceGroup } from './dialect';
import { ServiceError } from './errors';
import { idOf } from './pagination';
import type { Clock } from './retryPolicy';
import type { AuthForm, ClientLog, NetworkOptions, Timeouts } from './serviceClient';
import { Transport } from './transport';

export interface ProbeOptions {
  readonly baseUrl: string;
  readonly key: string;
  /** The user agreed to plain http for this host. */
  readonly allowInsecureHttp?: boolean;
  readonly network?: NetworkOptions;
  readonly timeouts?: Partial<Timeouts>;
  readonly signal?: AbortSignal;
  readonly log?: ClientLog;
  readonly userAgent?: string;
  /** Called with each step when it is done. */
  readonly onStep?: (step: ProbeStep) => void;
  /** Time, for tests. */
  readonly clock?: Clock;
}

/** One thing that was tried and what came of it, in plain English: `template` has the places of `args` as `{0}`, `{1}`. */
export interface ProbeStep {
  readonly state: 'ok' | 'failed';
  readonly template: string;
  readonly args: readonly string[];
}

/** `missing` only after a 404 of the group's collection; `refused` is any other error, kept in `ProbeResult.refusals`. */
export type GroupState = 'served' | 'missing' | 'refused';

export interface ProbeResult {
  /** The form and names that worked best; undefined when nothing did. */
  readonly auth: AuthForm | undefined;
  readonly dialect: DialectName | undefined;
  /** Resource groups that have a collection to ask for; empty when nothing worked. */
  readonly groups: ReadonlyMap<ResourceGroup, GroupState>;
  readonly refusals: ReadonlyMap<ResourceGroup, ServiceError>;
  /** Why nothing worked: the service's own answer to a wrong key, or what the network did. */
  readonly failure: ServiceError | undefined;
  readonly steps: readonly ProbeStep[];
}

const collections: ReadonlyMap<ResourceGroup, string> = new Map([
  ['models', '/models'],
  ['batches', '/messages/batches'],
  ['agents', '/agents'],
  ['sessions', '/sessions'],
  ['environments', '/environments'],
  ['files', '/files'],
  ['skills', '/skills'],
  ['deployments', '/deployments'],
  ['memoryStores', '/memory_stores'],
  ['vaults', '/vaults'],
  ['webhooks', '/webhooks'],
]);
/** Groups that tell dialects apart: one that checks no beta, one that checks the header, one that checks the query. */
const telling: readonly ResourceGroup[] = ['models', 'batches', 'agents'];
const forms: readonly AuthForm[] = ['x-api-key', 'bearer'];
const names: readonly DialectName[] = ['contract', 'anthropic-2023', 'anthropic-2026'];

interface Trial {
  readonly auth: AuthForm;
  readonly dialect: DialectName;
  readonly answers: ReadonlyMap<ResourceGroup, unknown>;
}

/**
 * Finds out how a service wants to be spoken to, with reads of one item only: which of the two authentication headers it takes
 * (never both in one request), which dialect fits, and which resource groups it serves. The key goes to the origin of
 * `baseUrl` and nowhere else. Throws an `AbortedError` when `signal` aborts; whatever else goes wrong is in the result.
 */
export async function probeService(options: ProbeOptions): Promise<ProbeResult> {
  const steps: ProbeStep[] = [];
  const step = (state: ProbeStep['state'], template: string, ...args: string[]) => {
    const done = { state, template, args };
    steps.push(done);
    options.onStep?.(done);
  };
  const failed = (failure: ServiceError | undefined): ProbeResult => ({
    auth: undefined,
    dialect: undefined,
    groups: new Map(),
    refusals: new Map(),
    failure,
    steps,
  });

  const trials: Trial[] = [];
  for (const auth of forms) {
    for (const dialect of names) {
      const trial: Trial = { auth, dialect, answers: await ask(options, auth, dialect, telling) };
      const unreachable = failures(trial).find(error => error.status === undefined || error.kind === 'redirect' || error.kind === 'proxy');
      if (unreachable !== undefined && score(trial) === 0) {
        step('failed', '{0}', unreachable.message);
        return failed(unreachable);
      }
      trials.push(trial);
      if (failures(trial).some(error => error.kind === 'authentication') && score(trial) === 0) {
        step('failed', 'The service does not take the key in the header {0}', headerName(auth));
        // No other names make a key right that is refused.
        break;
      }
    }
    if (trials.some(trial => trial.auth === auth && score(trial) === telling.length)) {
      break;
    }
  }

  const best = choose(trials);
  if (best === undefined) {
    const all = trials.flatMap(failures);
    const failure = all.find(error => error.kind === 'authentication') ?? all.find(error => error.kind !== 'not_found') ?? all[0];
    step('failed', '{0}', failure?.message ?? 'The service did not answer');
    return failed(failure);
  }
  step('ok', 'The service takes the key in the header {0}', headerName(best.auth));
  step('ok', 'It speaks: {0}', dialects[best.dialect].label);
  const rest = [...collections.keys()].filter(group => !best.answers.has(group));
  const answers = new Map([...best.answers, ...(await ask(options, best.auth, best.dialect, rest))]);
  const groups = new Map([...answers].map(([group, answer]) => [group, toState(answer)]));
  const named = (state: GroupState) => [...groups].filter(([, found]) => found === state).map(([group]) => group);
  step('ok', 'It serves: {0}', named('served').join(', '));
  if (named('missing').length > 0) {
    step('ok', 'It does not serve: {0}', named('missing').join(', '));
  }
  if (named('refused').length > 0) {
    step('failed', 'It refused to list: {0}', named('refused').join(', '));
  }
  const refusals = new Map(
    [...answers].flatMap(([group, answer]) => (answer instanceof ServiceError && toState(answer) === 'refused' ? [[group, answer]] : [])),
  );
  return { auth: best.auth, dialect: best.dialect, groups, refusals, failure: undefined, steps };
}

/** One item of each group's collection: the body, or the error. */
async function ask(
  options: ProbeOptions,
  auth: AuthForm,
  dialect: DialectName,
  groups: readonly ResourceGroup[],
): Promise<ReadonlyMap<ResourceGroup, unknown>> {
  const transport = openTransport(options, auth, dialect);
  if (transport instanceof ServiceError) {
    return new Map(groups.map(group => [group, transport]));
  }
  try {
    const answers = groups.map(async (group): Promise<readonly [ResourceGroup, unknown]> => {
      try {
        const path = collections.get(group) ?? '';
        const { data } = await transport.json(
          { method: 'GET', group, path, query: [['limit', '1']], signal: options.signal },
          value => value,
        );
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

function openTransport(options: ProbeOptions, auth: AuthForm, dialect: DialectName): Transport | ServiceError {
  try {
    const { baseUrl, key, network, allowInsecureHttp, timeouts, log, userAgent, clock } = options;
    return new Transport({
      baseUrl,
      auth,
      dialect: dialects[dialect],
      credential: async () => ({ key, origin: new URL(baseUrl).origin }),
      network,
      allowInsecureHttp,
      timeouts: { firstByte: 20_000, call: 30_000, ...timeouts },
      log,
      userAgent,
      clock,
    });
  } catch (error) {
    if (error instanceof ServiceError) {
      return error;
    }
    throw error;
  }
}

/**
 * The trial in which most groups answered. Where several did equally well the model names decide, then the header the key
 * goes in, then the order: a header more is harmless to a service that does not ask for it.
 */
function choose(trials: readonly Trial[]): Trial | undefined {
  const most = Math.max(0, ...trials.map(score));
  if (most === 0) {
    return undefined;
  }
  const equal = trials.filter(trial => score(trial) === most);
  const named = equal.filter(({ dialect, answers }) =>
    modelIds(answers.get('models')).some(id => id.startsWith(dialects[dialect].modelPrefix)),
  );
  return named.find(({ auth, dialect }) => dialects[dialect].defaultAuth === auth) ?? named[0] ?? equal[0];
}

function score(trial: Trial): number {
  return [...trial.answers.values()].filter(answer => !(answer instanceof ServiceError)).length;
}

function failures(trial: Trial): readonly ServiceError[] {
  return [...trial.answers.values()].filter(answer => answer instanceof ServiceError);
}

function modelIds(models: unknown): readonly string[] {
  const data = typeof models === 'object' && models !== null ? (models as { data?: unknown }).data : undefined;
  return Array.isArray(data) ? data.map(idOf).filter(id => id !== undefined) : [];
}

function toState(answer: unknown): GroupState {
  if (!(answer instanceof ServiceError)) {
    return 'served';
  }
  return answer.status === 404 ? 'missing' : 'refused';
}

function headerName(auth: AuthForm): string {
  return auth === 'bearer' ? 'Authorization: Bearer' : 'X-Api-Key';
}
