import { defined } from '../../../shared/defined';
import type { IgnoredField } from '../../../client/ignoredFields';
import type { AgentWithOverrides, SessionBudget, SessionParams, SessionResourceParams } from '../../../client/schemas/sessionParams';
import type { Session } from '../../../client/schemas/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import type { LocalFile } from '../../../common/files/localFile';
import { type UploadOptions, uploadAll } from '../attaching/uploadFiles';

/** Parameters of a session start. They stay available if the start fails. */
export interface SessionStartParams {
  readonly agentId: string;
  /** `undefined` for the latest version. */
  readonly agentVersion: number | undefined;
  /** `undefined` if the service has no environments. */
  readonly environmentId: string | undefined;
  readonly title: string;
  readonly files: readonly LocalFile[];
  /** Target folder of the files in the sandbox. Empty if the service chooses it. */
  readonly folder: string;
  /** Resources to mount in addition to the files. */
  readonly resources?: readonly SessionResourceParams[];
  readonly vaultIds?: readonly string[];
  readonly budget?: SessionBudget | undefined;
  /** Differences from the agent's definition. Without any, the agent is used unchanged. */
  readonly overrides?: Pick<AgentWithOverrides, 'model' | 'system'>;
}

export interface SessionStartOptions extends UploadOptions {
  /** Called just before the request that creates the session: if that fails, the session may have been started. */
  readonly onCreate?: () => void;
}

/**
 * Started session. The flag `tookNoFiles` is true if the service doesn't take files and the session was started without them. Fields that the
 * service ignored, such as the agent's version, are in `ignored`.
 */
export interface StartedSession {
  readonly session: Session;
  readonly tookNoFiles: boolean;
  readonly ignored: readonly IgnoredField[];
}

/**
 * Uploads the files, then creates the session. Neither request is repeated automatically: `outcome` of an error says whether the service
 * may have processed it. The first message is sent separately, after the session exists, because servers interpret `initial_events`
 * differently or ignore it.
 */
export async function startSession(
  client: Pick<ServiceClient, 'sessions' | 'files'>,
  params: SessionStartParams,
  options: SessionStartOptions,
): Promise<StartedSession> {
  const { environmentId, title, vaultIds = [], budget } = params;
  const mounted = await uploadAll(client, params, options);
  const resources = [...(mounted ?? []), ...(params.resources ?? [])];
  options.onCreate?.();
  const { data: session, ignored = [] } = await client.sessions.create(
    {
      agent: toAgent(params),
      ...defined({ environment_id: environmentId, title: title.trim() || undefined, budget }),
      ...(resources.length === 0 ? {} : { resources }),
      ...(vaultIds.length === 0 ? {} : { vault_ids: vaultIds }),
    },
    { signal: options.signal },
  );
  return { session, tookNoFiles: mounted === undefined, ignored };
}

function toAgent({ agentId: id, agentVersion: version, overrides = {} }: SessionStartParams): SessionParams['agent'] {
  const chosen = { id, ...(version === undefined ? {} : { version }) };
  if (overrides.model !== undefined || overrides.system !== undefined) {
    return { type: 'agent_with_overrides', ...chosen, ...overrides };
  }
  return version === undefined ? id : { type: 'agent', ...chosen };
}
