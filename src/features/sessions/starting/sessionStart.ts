import type { IgnoredField } from '../../../client/ignoredFields';
import type { SessionParams } from '../../../client/schemas/sessionParams';
import type { Session } from '../../../client/schemas/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import type { LocalFile } from '../../../common/files/localFile';
import type { Overrides } from '../attaching/askOverrides';
import { uploadAll, type UploadOptions } from '../attaching/sessionFiles';

/** Files to mount in a session. `folder` is their target folder in the sandbox, empty if the service chooses it. */
export interface StartFiles {
  readonly files: readonly LocalFile[];
  readonly folder: string;
}

export interface SessionStartOptions extends UploadOptions {
  /** Called just before the request that creates the session: if that fails, the session may have been started. */
  readonly onCreate?: () => void;
}

/** Started session. `tookNoFiles`: it has no files, because the service supports none. `ignored`: fields that the service ignored. */
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
  params: SessionParams,
  files: StartFiles,
  options: SessionStartOptions,
): Promise<StartedSession> {
  const mounted = await uploadAll(client, files, options);
  const resources = [...(mounted ?? []), ...(params.resources ?? [])];
  options.onCreate?.();
  const { data: session, ignored = [] } = await client.sessions.create(
    { ...params, ...(resources.length > 0 && { resources }) },
    { signal: options.signal },
  );
  return { session, tookNoFiles: mounted === undefined, ignored };
}

/** Returns the agent of a session in the service's format. Without a version, the service uses the latest. */
export function toAgentParams(id: string, version: number | undefined, { model, system }: Overrides): SessionParams['agent'] {
  const chosen = { id, ...(version === undefined ? {} : { version }) };
  if (model !== undefined || system !== undefined) {
    return { type: 'agent_with_overrides', ...chosen, ...(model !== undefined && { model }), ...(system !== undefined && { system }) };
  }
  return version === undefined ? id : { type: 'agent', ...chosen };
}
