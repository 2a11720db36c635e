import * as vscode from 'vscode';
import { dialects } from '../../client/dialect';
import type { Model } from '../../client/schemas/models';
import { combine } from '../../common/disposables';
import { Emitter } from '../../common/emitter';
import type { Log } from '../../common/log';
import { onDidChangeSettings, readSetting } from '../../common/settings';
import type { Severity } from '../../jsonl/problem';
import { type RuleOptions, toDay } from '../../jsonl/rules/ruleOptions';
import type { Connection, Connections } from '../connection/connection';

/** Pages of models that are read; a workspace exposes a handful. */
const mostPages = 20;

const severities: ReadonlySet<unknown> = new Set<Severity | 'off'>(['error', 'warning', 'information', 'hint', 'off']);

/** What the rules of request files are judged by in this window. */
export interface RuleSettings {
  /** As things stand now, for a file. The models of the connection are asked for when this is first called with it. */
  options(file: vscode.Uri | undefined): RuleOptions;
  /** The models that the connection serves; undefined while they are not known. They are asked for when this is first called. */
  models(): readonly Model[] | undefined;
  /** The severities, the connection or what is known of its models changed. */
  readonly onDidChange: vscode.Event<void>;
}

/**
 * Builds what the rules are judged by from the settings, the connection of this window and the date. The service is asked for its
 * models in the background, at most once per connection, and not while the workspace is not trusted; when it does not answer, the
 * models are not known.
 */
export function createRuleSettings({
  connections,
  log,
}: {
  readonly connections: Connections;
  readonly log: Log;
}): RuleSettings & vscode.Disposable {
  const changed = new Emitter<void>();
  /** Models by address; undefined while they are asked for and when they could not be had. */
  const models = new Map<string, readonly Model[] | undefined>();
  const lifetime = new AbortController();

  const askModels = async (connection: Connection, key: string) => {
    models.set(key, undefined);
    try {
      const client = await connections.client(connection);
      const found: Model[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < mostPages && (page === 0 || cursor !== undefined); page++) {
        const { items, nextCursor } = await client.models.list({ signal: lifetime.signal, ...(cursor === undefined ? {} : { cursor }) });
        found.push(...items);
        cursor = nextCursor;
      }
      // What is cut off is not known, so nothing can be said of a name that is not among them.
      models.set(key, cursor === undefined ? found : undefined);
      changed.fire();
    } catch (error) {
      log.debug(`The models of ${connection.name} are not known: ${error instanceof Error ? error.name : 'failed'}`);
    }
  };
  const modelsOf = (connection: Connection | undefined) => {
    if (connection === undefined || connections.state !== 'ready' || !vscode.workspace.isTrusted) {
      return undefined;
    }
    const key = `${connection.name} ${connection.baseUrl}`;
    if (!models.has(key)) {
      void askModels(connection, key);
    }
    return models.get(key);
  };

  let told = '';
  const subscriptions = combine(
    changed,
    onDidChangeSettings(['managedAgents.rules'], () => changed.fire()),
    connections.onDidChange(() => {
      const { current, state } = connections;
      const news = JSON.stringify([state, current?.name, current?.baseUrl, current?.dialect, current?.extraBetas]);
      if (news !== told) {
        told = news;
        changed.fire();
      }
    }),
  );
  return {
    onDidChange: changed.event,
    options: file => {
      const { current } = connections;
      return {
        severities: readSeverities(file),
        models: modelsOf(current)?.map(({ id }) => id),
        betas: current && betasOf(current),
        ...(current === undefined ? {} : { modelPrefix: dialects[current.dialect].modelPrefix }),
        today: toDay(new Date()),
      };
    },
    models: () => modelsOf(connections.current),
    dispose: () => {
      lifetime.abort();
      subscriptions.dispose();
    },
  };
}

/** Settings are whatever the user wrote. */
function readSeverities(file: vscode.Uri | undefined): RuleOptions['severities'] {
  const entries = Object.entries(readSetting('managedAgents.rules', file) ?? {});
  return Object.fromEntries(entries.filter(([, severity]) => severities.has(severity)));
}

function betasOf({ dialect, extraBetas }: Connection): readonly string[] {
  const own = dialects[dialect].betas.batches;
  return own === undefined ? extraBetas : [own, ...extraBetas];
}
