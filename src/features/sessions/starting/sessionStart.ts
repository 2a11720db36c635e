import type { SessionParams } from '../../../client/schemas/sessionParams';
import type { ServiceClient } from '../../../client/serviceClient';
import type { Overrides } from '../attaching/askOverrides';
import { type MountedFiles, uploadAll, type UploadOptions } from '../attaching/sessionFiles';

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

/** Returns the agent of a session in the service's format. Without a version, the service uses the latest. */
export function toAgentParams(id: string, version: number | undefined, { model, system }: Overrides): SessionParams['agent'] {
  const chosen = { id, ...(version === undefined ? {} : { version }) };
  if (model !== undefined || system !== undefined) {
    return { type: 'agent_with_overrides', ...chosen, ...(model !== undefined && { model }), ...(system !== undefined && { system }) };
  }
  return version === undefined ? id : { type: 'agent', ...chosen };
}
