import path from 'node:path';
import * as z from 'zod';
import { patched } from '../agents/agentState';
import type { EmulatorClock } from '../emulatorClock';
import { ApiError, invalidRequest } from '../http/apiError';
import { toTime, toTimeOrNull } from '../http/wireTime';
import { randomId } from '../state/randomId';
import { RecordStore } from '../state/recordStore';
import type { WebhookEvent } from '../webhooks/webhookEvents';
import type { CreateCredentialParams, createVaultSchema, UpdateCredentialParams, updateVaultSchema } from './credentialParams';
import { type CredentialRecord, changedAuth, credentialRecordSchema, toAuth, tryCredential } from './credentialRecord';

const mostCredentials = 20;

const vaultRecordSchema = z.object({
  id: z.string(),
  /** Position in the order of creation. */
  sequence: z.number(),
  displayName: z.string(),
  metadata: z.record(z.string(), z.string()),
  createdAt: z.number(),
  updatedAt: z.number(),
  archivedAt: z.number().nullable(),
});
export type VaultRecord = Readonly<z.infer<typeof vaultRecordSchema>>;

interface VaultParts {
  readonly folder: string | undefined;
  readonly clock: Pick<EmulatorClock, 'now'>;
  readonly tell: (webhookEvent: WebhookEvent) => void;
}

/** Vaults and their credentials (API facts, section 16). Secrets are not stored, only the results of validating them. */
export class VaultState {
  private constructor(
    private readonly clock: Pick<EmulatorClock, 'now'>,
    private readonly tell: (webhookEvent: WebhookEvent) => void,
    private readonly vaults: RecordStore<VaultRecord>,
    private readonly credentials: RecordStore<CredentialRecord>,
  ) {}

  static async open(parts: VaultParts): Promise<VaultState> {
    const folder = (name: string) => (parts.folder === undefined ? undefined : path.join(parts.folder, name));
    return new VaultState(
      parts.clock,
      parts.tell,
      await RecordStore.open<VaultRecord>(folder('vaults'), vaultRecordSchema, 'Vault'),
      await RecordStore.open<CredentialRecord>(folder('credentials'), credentialRecordSchema, 'Credential'),
    );
  }

  /** Returns all vaults, newest first. */
  list(): readonly VaultRecord[] {
    return this.vaults.list();
  }

  get(id: string): VaultRecord {
    return this.vaults.get(id);
  }

  /** Throws a 404 for a missing vault, and a 400 for an archived one: neither can be used by a session. */
  demandUsable(id: string, field: string): void {
    if (this.get(id).archivedAt !== null) {
      throw invalidRequest(`${field}: the vault ${id} is archived`);
    }
  }

  create(params: z.infer<typeof createVaultSchema>): VaultRecord {
    const now = this.clock.now();
    const record = this.vaults.put({
      id: `vlt_${randomId(24)}`,
      sequence: this.vaults.nextSequence(),
      displayName: params.display_name,
      metadata: params.metadata ?? {},
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    });
    this.tell({ type: 'vault.created', id: record.id });
    return record;
  }

  update(id: string, params: z.infer<typeof updateVaultSchema>): VaultRecord {
    const old = this.active(id);
    return this.vaults.put({
      ...old,
      displayName: params.display_name ?? old.displayName,
      metadata: patched(old.metadata, params.metadata ?? {}),
      updatedAt: this.clock.now(),
    });
  }

  /** Archives a vault with all its credentials. */
  archive(id: string): VaultRecord {
    const record = this.get(id);
    if (record.archivedAt !== null) {
      return record;
    }
    for (const credential of this.listCredentials(id)) {
      this.archiveCredential(id, credential.id);
    }
    const now = this.clock.now();
    this.tell({ type: 'vault.archived', id });
    return this.vaults.put({ ...record, archivedAt: now, updatedAt: now });
  }

  async delete(id: string): Promise<void> {
    this.get(id);
    await Promise.all(this.listCredentials(id).map(credential => this.credentials.delete(credential.id)));
    await this.vaults.delete(id);
    this.tell({ type: 'vault.deleted', id });
  }

  /** Returns all credentials, newest first. */
  listCredentials(vaultId: string): readonly CredentialRecord[] {
    this.get(vaultId);
    return this.credentials.list().filter(record => record.vaultId === vaultId);
  }

  getCredential(vaultId: string, id: string): CredentialRecord {
    this.get(vaultId);
    const record = this.credentials.get(id);
    if (record.vaultId !== vaultId) {
      throw new ApiError('not_found_error', `Credential not found: ${id}`);
    }
    return record;
  }

  createCredential(vaultId: string, params: CreateCredentialParams): CredentialRecord {
    this.active(vaultId);
    const active = this.listCredentials(vaultId).filter(({ archivedAt }) => archivedAt === null);
    const parts = toAuth(params.auth);
    if (active.some(({ key }) => key === parts.key)) {
      throw new ApiError('conflict_error', 'Credential key already exists');
    }
    if (active.length >= mostCredentials) {
      throw invalidRequest(`A vault can have at most ${mostCredentials} credentials`);
    }
    const now = this.clock.now();
    const record = this.credentials.put({
      id: `vcrd_${randomId(24)}`,
      sequence: this.credentials.nextSequence(),
      vaultId,
      displayName: params.display_name ?? null,
      metadata: params.metadata ?? {},
      ...parts,
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    });
    this.tellCredential('created', record);
    return record;
  }

  updateCredential(vaultId: string, id: string, params: UpdateCredentialParams): CredentialRecord {
    const old = this.getCredential(vaultId, id);
    if (old.archivedAt !== null) {
      throw invalidRequest('archived credentials cannot be updated');
    }
    return this.credentials.put({
      ...old,
      displayName: params.display_name ?? old.displayName,
      metadata: patched(old.metadata, params.metadata ?? {}),
      ...changedAuth(old, params.auth),
      updatedAt: this.clock.now(),
    });
  }

  /** Deletes the secret but not the record. Another credential can then have the same purpose. */
  archiveCredential(vaultId: string, id: string): CredentialRecord {
    const record = this.getCredential(vaultId, id);
    if (record.archivedAt !== null) {
      return record;
    }
    const now = this.clock.now();
    this.tellCredential('archived', record);
    return this.credentials.put({ ...record, token: null, refreshToken: null, archivedAt: now, updatedAt: now });
  }

  async deleteCredential(vaultId: string, id: string): Promise<void> {
    const record = this.getCredential(vaultId, id);
    await this.credentials.delete(id);
    this.tellCredential('deleted', record);
  }

  validate(vaultId: string, id: string): object {
    const record = this.getCredential(vaultId, id);
    const tried = tryCredential(record, this.clock.now());
    if (tried.refresh !== null && tried.status === 'invalid' && tried.has_refresh_token) {
      this.tellCredential('refresh_failed', record);
    }
    return tried;
  }

  async flush(): Promise<void> {
    await Promise.all([this.vaults.flush(), this.credentials.flush()]);
  }

  private tellCredential(what: string, { id, vaultId }: CredentialRecord): void {
    this.tell({ type: `vault_credential.${what}`, id, more: { vault_id: vaultId } });
  }

  private active(id: string): VaultRecord {
    const record = this.get(id);
    if (record.archivedAt !== null) {
      throw invalidRequest('archived vaults cannot be changed');
    }
    return record;
  }
}

/** Converts a vault to its response form. */
export function toVault(record: VaultRecord) {
  return {
    id: record.id,
    type: 'vault',
    display_name: record.displayName,
    metadata: record.metadata,
    created_at: toTime(record.createdAt),
    updated_at: toTime(record.updatedAt),
    archived_at: toTimeOrNull(record.archivedAt),
  };
}
