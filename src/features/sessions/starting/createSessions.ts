import * as vscode from 'vscode';
import { dialects } from '../../../client/dialect';
import type { Session, SessionParams, Sessions } from '../../../client/resources/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { listUpTo } from '../../../client/transport/pagination';
import { showInformation } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { isCancellation } from '../../../common/cancellation';
import { describeIgnored } from '../../../common/text/describeIgnored';
import type { Reached } from '../../connection';
import { confirmUpload, type MountedFiles, type UploadOptions, uploadAll } from '../attaching/sessionFiles';
import type { SessionActionContext } from '../sessionActionContext';
import type { ChosenAgent } from './agentPicker';
import { type Answers, toStartParams } from './startAnswers';

/**
 * Creates the sessions of a start that do not exist yet, and adds them to the answers. Returns how the sessions differ from the request, or
 * '' if they don't differ. Returns `undefined` on failure and stores the reason in the answers.
 */
export async function createSessions(
  deps: SessionActionContext,
  { connection, client }: Reached,
  answers: Answers & { readonly agent: ChosenAgent },
  message: string,
  uncertain: UncertainStart,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const { agent, files, uploaded, versions = [agent.version], started } = answers;
  let isSent = false;
  const forget = () => {
    answers.before = undefined;
    uncertain.write(undefined);
  };
  try {
    await confirmUpload(connection, files, uploaded);
    for (const version of versions.slice(started.length)) {
      const params = toStartParams(answers, version, message, dialects[connection.dialect].repositoryType);
      isSent = false;
      const { session, tookNoFiles, ignored } = await withProgress(t('Starting a session'), deps.lifetime, async (signal, report) => {
        if (answers.before?.agentId !== agent.id) {
          answers.before = { agentId: agent.id, ids: await sessionsBefore(client.sessions, agent.id, signal) };
        }
        return await startSession(client, params, answers, {
          ...{ signal, report, uploaded },
          onCreate: () => {
            isSent = true;
            uncertain.write(answers.before);
          },
        });
      });
      forget();
      if (tookNoFiles) {
        void showInformation(t("This service doesn't support files. The session was started without them."));
      }
      deps.store.put(connection.name, session);
      started.push(session);
      if (ignored.length > 0) {
        return describeIgnored(t('the session'), ignored, t);
      }
    }
    answers.failure = undefined;
    return '';
  } catch (error) {
    const isUnknown = isSent && !(error instanceof ServiceError && (error.outcome === 'refused' || error.outcome === 'not_sent'));
    if (isUnknown || !isCancellation(error)) {
      deps.log.error('A session could not be started', error);
      answers.failure = { error, isUnknown, appeared: [] };
      deps.refresh().catch(failed => deps.log.error('Sessions could not be read', failed));
    }
    if (isUnknown) {
      await findStartedSessions(deps, client, answers);
    } else if (isSent) {
      forget();
    }
    return undefined;
  }
}

/**
 * Uploads the files, then creates the session. Neither request is repeated automatically: `outcome` of an error says whether the service
 * may have processed it. Calls `onCreate` just before the request that creates the session. The first message is sent separately, after the
 * session exists, because servers interpret `initial_events` differently or ignore it. `tookNoFiles`: the service supports no files.
 */
export async function startSession(
  client: Pick<ServiceClient, 'sessions' | 'files'>,
  params: SessionParams,
  files: MountedFiles,
  { onCreate, ...options }: UploadOptions & { readonly onCreate?: () => void },
) {
  const mounted = await uploadAll(client, files, options);
  const resources = [...(mounted ?? []), ...(params.resources ?? [])];
  onCreate?.();
  const { data: session, ignored = [] } = await client.sessions.create(
    { ...params, ...(resources.length > 0 && { resources }) },
    { signal: options.signal },
  );
  return { session, tookNoFiles: mounted === undefined, ignored };
}

/** Searches for a session that may have been started, and stores the result in `answers.failure`. */
export async function findStartedSessions(
  deps: Pick<SessionActionContext, 'lifetime' | 'log'>,
  client: Reached['client'],
  answers: Answers,
): Promise<void> {
  const { title, failure, before, started } = answers;
  if (failure === undefined || before === undefined) {
    return;
  }
  try {
    const appeared = await withProgress(vscode.l10n.t('Searching for the session'), deps.lifetime, signal =>
      appearedSince(client.sessions, { agentId: before.agentId, title, before: before.ids }, signal),
    );
    answers.failure = { ...failure, appeared: appeared.filter(({ id }) => !started.some(one => one.id === id)) };
  } catch (error) {
    // The user can search again.
    deps.log.error('Sessions could not be listed after a start', error);
  }
}

/** Maximum number of sessions that are compared before and after a start. */
const maxListed = 300;

/** Returns the IDs of an agent's newest sessions before a start. `undefined` if the sessions can't be listed. */
export async function sessionsBefore(
  sessions: Pick<Sessions, 'list'>,
  agentId: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  try {
    return new Set((await newestOf(sessions, agentId, signal)).map(({ id }) => id));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    return undefined;
  }
}

/** Returns the sessions of an agent that are not in `before`. Sessions with this title come first. */
export async function appearedSince(
  sessions: Pick<Sessions, 'list'>,
  { agentId, title, before }: { readonly agentId: string; readonly title: string; readonly before: ReadonlySet<string> | undefined },
  signal: AbortSignal,
): Promise<readonly Session[]> {
  if (before === undefined) {
    return [];
  }
  const appeared = (await newestOf(sessions, agentId, signal)).filter(({ id }) => !before.has(id));
  const isOther = (session: Session) => Number((session.title ?? '').trim() !== title.trim());
  return appeared.sort((a, b) => isOther(a) - isOther(b));
}

/**
 * Returns the newest sessions of an agent. If the service can't filter by agent, lists the newest sessions of all agents and filters here.
 */
async function newestOf(sessions: Pick<Sessions, 'list'>, agentId: string, signal: AbortSignal): Promise<Session[]> {
  const list = (filters: { readonly agentId?: string }) =>
    listUpTo(options => sessions.list({ ...options, ...filters, order: 'desc' }), maxListed, { signal, limit: 100 });
  const { items } = await list({ agentId }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.kind === 'invalid_request') {
      return list({});
    }
    throw error;
  });
  return items.filter(({ agent }) => agent?.id === undefined || agent.id === agentId);
}

type Before = NonNullable<Answers['before']>;

/** Start with an unknown outcome on one connection, saved across reloads because its session may exist. */
export class UncertainStart {
  private readonly key: string;

  constructor(
    private readonly memento: Pick<vscode.Memento, 'get' | 'update'>,
    connection: string,
  ) {
    this.key = `managedAgents.uncertainStart ${connection}`;
  }

  read(): Before | undefined {
    const { agentId, ids } = (this.memento.get(this.key) ?? {}) as { readonly agentId?: string; readonly ids?: readonly string[] };
    return typeof agentId === 'string' ? { agentId, ids: Array.isArray(ids) ? new Set(ids) : undefined } : undefined;
  }

  write(before: Before | undefined): void {
    const stored = before && { agentId: before.agentId, ...(before.ids && { ids: [...before.ids] }) };
    // If the write fails, only this window remembers the start.
    this.memento.update(this.key, stored).then(undefined, () => undefined);
  }
}
