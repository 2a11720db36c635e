import { ApiError } from '../http/apiError';
import { readDeploymentEvents } from '../sessions/sentEvents';
import { type SessionStart, startSession } from '../sessions/startSession';
import type { DeploymentRecord, RunRecord } from './deploymentRecord';

/** Creates a session from the current state of a deployment. Returns the session, or why there is none. */
export async function startSessionOf(record: DeploymentRecord, parts: SessionStart): Promise<Pick<RunRecord, 'sessionId' | 'error'>> {
  const unusable = findUnusable(record, parts);
  if (unusable !== undefined) {
    return { sessionId: null, error: unusable };
  }
  const params = {
    agent: record.agent,
    environment_id: record.environmentId,
    vault_ids: record.vaultIds,
    budget: record.budget,
    // Copied, because later changes of the deployment must not affect existing sessions. Tokens are not stored.
    resources: record.resources.map(config => ('url' in config ? { ...config, authorization_token: 'kept' } : config)),
  };
  try {
    const session = await startSession(params, readDeploymentEvents(record.initialEvents), parts, record.id);
    return { sessionId: session.id, error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    return { sessionId: null, error: { type: 'session_creation_rejected_error', message: error.message } };
  }
}

/** Returns an error for a required resource that is archived or no longer exists. */
function findUnusable(
  { environmentId, vaultIds, resources }: DeploymentRecord,
  { environments, files, vaults, memories }: SessionStart,
): RunRecord['error'] | undefined {
  const idsIn = (field: string) => resources.flatMap(({ [field]: id }) => (typeof id === 'string' ? [id] : []));
  const needed: readonly Needed[] = [
    { ids: [environmentId], from: environments, noun: 'Environment', type: 'environment' },
    { ids: idsIn('file_id'), from: files, noun: 'File', type: 'file' },
    { ids: vaultIds, from: vaults, noun: 'Vault', type: 'vault' },
    // The service has no error type of its own for a missing store.
    { ids: idsIn('memory_store_id'), from: memories, noun: 'Memory store', type: 'memory_store', missing: 'session_resource' },
  ];
  for (const { ids, from, noun, type, missing = type } of needed) {
    for (const id of ids) {
      const found = from.find(id);
      if (found === undefined) {
        return { type: `${missing}_not_found_error`, message: `${noun} not found: ${id}` };
      }
      if ((found.archivedAt ?? null) !== null) {
        return { type: `${type}_archived_error`, message: `${noun} is archived: ${id}` };
      }
    }
  }
  return undefined;
}

interface Needed {
  readonly ids: readonly string[];
  readonly from: { find(id: string): { readonly id: string; readonly archivedAt?: number | null } | undefined };
  readonly noun: string;
  readonly type: string;
  readonly missing?: string;
}
