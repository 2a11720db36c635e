import { ApiError } from '../http/apiError';
import { readDeploymentEvents } from '../sessions/sentEvents';
import { type SessionStart, startSession } from '../sessions/startSession';
import type { DeploymentRecord, RunRecord } from './deploymentRecord';

/** Creates a session from the current state of a deployment. Returns the session, or why there is none. */
export async function startSessionOf(record: DeploymentRecord, parts: SessionStart): Promise<Pick<RunRecord, 'sessionId' | 'error'>> {
  const missing = findMissing(record, parts) ?? findUnusable(record, parts);
  if (missing !== undefined) {
    return { sessionId: null, error: missing };
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

/** Returns an error for a required resource that no longer exists. */
function findMissing(
  { environmentId, resources }: DeploymentRecord,
  { environments, files }: SessionStart,
): RunRecord['error'] | undefined {
  const environment = environments.find(environmentId);
  if (environment === undefined) {
    return { type: 'environment_not_found_error', message: `Environment not found: ${environmentId}` };
  }
  if (environment.archivedAt !== null) {
    return { type: 'environment_archived_error', message: `Environment is archived: ${environmentId}` };
  }
  const gone = resources.find(({ file_id: file }) => typeof file === 'string' && files.find(file) === undefined);
  return gone && { type: 'file_not_found_error', message: `File not found: ${String(gone.file_id)}` };
}

/** Returns an error for a required vault or memory store that is archived or no longer exists. */
function findUnusable({ vaultIds, resources }: DeploymentRecord, { vaults, memories }: SessionStart): RunRecord['error'] | undefined {
  const stores = resources.flatMap(({ memory_store_id: id }) => (typeof id === 'string' ? [id] : []));
  const parts = [
    ...vaultIds.map(id => ({ id, from: vaults, what: 'Vault', type: 'vault', gone: 'vault_not_found_error' })),
    // The service has no error type of its own for a missing store.
    ...stores.map(id => ({
      id,
      from: memories,
      what: 'Memory store',
      type: 'memory_store',
      gone: 'session_resource_not_found_error',
    })),
  ];
  for (const { id, from, what, type, gone } of parts) {
    const found = from.find(id);
    if (found === undefined) {
      return { type: gone, message: `${what} not found: ${id}` };
    }
    if (found.archivedAt !== null) {
      return { type: `${type}_archived_error`, message: `${what} is archived: ${id}` };
    }
  }
  return undefined;
}
