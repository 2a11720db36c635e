import type * as vscode from 'vscode';
import { dialects } from '../../client/dialect';
import type { Model } from '../../client/resources/models';
import type { ServiceClient } from '../../client/serviceClient';
import { ServiceError } from '../../client/transport/errors';
import { listUpTo } from '../../client/transport/pagination';
import { combine } from '../../common/disposables';
import { Emitter } from '../../common/emitter';
import type { Log } from '../../common/log';
import { onDidChangeSettings, readLayers, type SettingLayers } from '../../common/settings';
import type { Severity } from '../../contract/problem';
import { type ModelFacts, type RuleOptions, toDay } from '../../jsonl/rules/ruleOptions';
import { ruleTable } from '../../jsonl/rules/ruleTable';
import { type Connection, type Connections, mayUse, reach } from '../connection';

/** Maximum number of models to read. Services list far fewer. */
const maxModels = 2000;

/** Severities, ordered from least to most strict. */
const severities: readonly unknown[] = ['off', 'hint', 'information', 'warning', 'error'] satisfies readonly (Severity | 'off')[];

/** Settings of the rules for request files in this window. */
export interface RuleSettings {
  /** Returns the current options for a file. The first call requests the models of the connection. */
  options(file: vscode.Uri | undefined): RuleOptions;
  /** Returns the models of the connection, or `undefined` while they are unknown. The first call requests them. */
  models(): readonly Model[] | undefined;
  /** Fires when the severities, the connection, its limits or its known models change. */
  readonly onDidChange: vscode.Event<void>;
}

/**
 * Creates the rule settings from the configuration, the current connection and the date. Requests the models in the background, at most
 * once per connection, and only in a trusted workspace. If the request fails, the models stay unknown.
 */
export function createRuleSettings({
  connections,
  log,
}: {
  readonly connections: Connections;
  readonly log: Log;
}): RuleSettings & vscode.Disposable {
  const changed = new Emitter<void>();
  const models = new ConnectionModels(
    async connection => (await reach(connections, connection, 'look')).client,
    () => changed.fire(),
    ({ name }, error) => log.debug(`The models of ${name} are not known: ${error instanceof ServiceError ? error.kind : 'failed'}`),
  );
  const modelsOf = (connection: Connection | undefined) => {
    if (connection === undefined || connections.state !== 'ready' || !mayUse('look')) {
      return undefined;
    }
    return models.of(connection);
  };

  let reported = '';
  const subscriptions = combine(
    changed,
    onDidChangeSettings(['managedAgents.rules'], () => changed.fire()),
    connections.onDidChange(() => {
      const { current, state } = connections;
      const { name, baseUrl, dialect, extraBetas, userProfileId, limits } = current ?? {};
      const key = JSON.stringify([state, name, baseUrl, dialect, extraBetas, userProfileId, limits]);
      if (key !== reported) {
        reported = key;
        changed.fire();
      }
    }),
  );
  return {
    onDidChange: changed.event,
    options: file => {
      const { current } = connections;
      const models = modelsOf(current);
      const dialect = current && dialects[current.dialect];
      return {
        ...toSeverities(readLayers('managedAgents.rules', file)),
        models: models?.map(({ id }) => id),
        modelFacts: models?.flatMap(toModelFacts) ?? [],
        betas: current && [dialect?.betas.batches ?? [], current.extraBetas].flat(),
        userProfile: current?.userProfileId,
        ...(dialect && { modelPrefix: dialect.modelPrefix, newerParams: dialect.newerParams }),
        today: toDay(new Date()),
      };
    },
    models: () => modelsOf(connections.current),
    dispose: () => {
      models.dispose();
      subscriptions.dispose();
    },
  };
}

/**
 * Merges the user's severities with the severities of the workspace and the folder. A workspace or folder can only make severities
 * stricter, because it must not hide problems of its files. Ignores unknown values.
 */
export function toSeverities({ user = {}, folder }: Pick<SettingLayers<Readonly<Record<string, unknown>>>, 'user' | 'folder'>) {
  const own = new Map<string, Severity>(Object.entries(ruleTable).map(([rule, { severity }]) => [rule, severity]));
  const merged = new Map(Object.entries(user).filter(isSeverityEntry));
  const raised = new Set<string>();
  for (const [rule, severity] of folder.flatMap(values => Object.entries(values).filter(isSeverityEntry))) {
    const present = merged.get(rule) ?? own.get(rule);
    if (present !== undefined && severities.indexOf(severity) > severities.indexOf(present)) {
      merged.set(rule, severity);
      raised.add(rule);
    }
  }
  return { severities: Object.fromEntries(merged), raisedByFolder: [...raised] };
}

function isSeverityEntry(entry: [string, unknown]): entry is [string, Severity | 'off'] {
  return severities.includes(entry[1]);
}

/** Returns the limits that the service reports for a model. Empty if it reports none. */
export function toModelFacts({ id, max_tokens: maxTokens, capabilities }: Model): readonly ModelFacts[] {
  const isNeverFast = ['speed', 'fast_mode'].some(name => isUnsupported(capabilities?.[name]));
  return typeof maxTokens === 'number' || isNeverFast
    ? [{ id, ...(typeof maxTokens === 'number' && { maxTokens }), ...(isNeverFast && { isNeverFast }) }]
    : [];
}

/** Returns whether a capability or its member `fast` is reported as `{supported: false}`. */
function isUnsupported(capability: unknown): boolean {
  const { supported, fast } = (typeof capability === 'object' && capability !== null ? capability : {}) as Record<string, unknown>;
  return supported === false || (typeof fast === 'object' && fast !== null && (fast as { supported?: unknown }).supported === false);
}

/** Models of each connection, requested once in the background on first use. */
export class ConnectionModels {
  /** Models by connection name and address. `undefined` while loading and after a failure. */
  private readonly known = new Map<string, readonly Model[] | undefined>();
  private readonly lifetime = new AbortController();

  /** `onKnown` is called when models arrive, `onFailure` if the request fails. */
  constructor(
    private readonly reach: (connection: Connection) => Promise<Pick<ServiceClient, 'models'>>,
    private readonly onKnown: () => void,
    private readonly onFailure: (connection: Connection, error: unknown) => void,
  ) {}

  /** Returns the models of a connection, or `undefined` if the models are unknown. The first call requests them. */
  of(connection: Connection): readonly Model[] | undefined {
    const key = `${connection.name} ${connection.baseUrl}`;
    if (!this.known.has(key)) {
      this.known.set(key, undefined);
      this.ask(connection).then(
        models => {
          this.known.set(key, models);
          this.onKnown();
        },
        (error: unknown) => this.onFailure(connection, error),
      );
    }
    return this.known.get(key);
  }

  dispose(): void {
    this.lifetime.abort();
  }

  private async ask(connection: Connection): Promise<readonly Model[] | undefined> {
    const client = await this.reach(connection);
    const { items, isWhole } = await listUpTo(options => client.models.list(options), maxModels, { signal: this.lifetime.signal });
    // An incomplete list can't prove that a model is unknown.
    return isWhole ? items : undefined;
  }
}
