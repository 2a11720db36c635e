import * as z from 'zod';
import { ApiError, invalidRequest } from '../http/apiError';
import { kindRoutes, type Route } from '../http/kindRoutes';
import { patched } from '../http/toWire';
import { archivableShape, RecordStore, type StoreContext } from '../state/recordStore';
import type { WebhookEvent } from '../webhooks/webhooks';
import {
  type CreateCredentialParams,
  type CredentialRecord,
  changedAuth,
  createCredentialSchema,
  createVaultSchema,
  credentialRecordSchema,
  toAuth,
  toCredential,
  tryCredential,
  type UpdateCredentialParams,
  updateCredentialSchema,
  updateVaultSchema,
} from './credentialRecord';

const maxCredentials = 20;

const vaultRecordSchema = z.object({ ...archivableShape, displayName: z.string() });
type VaultRecord = Readonly<z.infer<typeof vaultRecordSchema>>;

/** Vaults and their credentials (API facts, section 16). Secrets are not stored, only the results of validating them. */
export class Vaults extends RecordStore<VaultRecord> {
  readonly credentials: Credentials;

  constructor(
    context: StoreContext,
    private readonly notify: (webhookEvent: WebhookEvent) => void,
  ) {
    super(context, { folder: 'vaults', noun: 'Vault', prefix: 'vlt_', schema: vaultRecordSchema });
    this.credentials = new Credentials(context, this, notify);
  }

  override async load(): Promise<this> {
    await Promise.all([super.load(), this.credentials.load()]);
    return this;
  }

  create(params: z.infer<typeof createVaultSchema>): VaultRecord {
    const record = this.add({ displayName: params.display_name, metadata: params.metadata ?? {} });
    this.notify({ type: 'vault.created', id: record.id });
    return record;
  }

  update(id: string, params: z.infer<typeof updateVaultSchema>): VaultRecord {
    const old = this.active(id, 'changed');
    return this.change(old, { displayName: params.display_name ?? undefined, metadata: patched(old.metadata, params.metadata) });
  }

  /** Archives a vault with all its credentials. */
  protected override archived(record: VaultRecord): VaultRecord {
    const { id } = record;
    for (const credential of this.credentials.list(id)) {
      this.credentials.archive(credential.id, id);
    }
    this.notify({ type: 'vault.archived', id });
    return this.change(record, { archivedAt: this.context.clock.now() });
  }

  override async delete(id: string): Promise<void> {
    const { credentials } = this;
    await Promise.all(credentials.list(id).map(credential => credentials.remove(credential)));
    await super.delete(id);
    this.notify({ type: 'vault.deleted', id });
  }
}

class Credentials extends RecordStore<CredentialRecord> {
  constructor(
    context: StoreContext,
    private readonly vaults: Vaults,
    private readonly notify: (webhookEvent: WebhookEvent) => void,
  ) {
    super(context, {
      folder: 'credentials',
      noun: 'Credential',
      prefix: 'vcrd_',
      schema: credentialRecordSchema,
      parent: { field: 'vaultId', store: vaults },
    });
  }

  create(vaultId: string, params: CreateCredentialParams): CredentialRecord {
    this.vaults.active(vaultId, 'changed');
    const active = this.list(vaultId).filter(({ archivedAt }) => archivedAt === null);
    const parts = toAuth(params.auth);
    if (active.some(({ key }) => key === parts.key)) {
      throw new ApiError('conflict_error', 'Credential key already exists');
    }
    if (active.length >= maxCredentials) {
      throw invalidRequest(`A vault can have at most ${maxCredentials} credentials`);
    }
    const record = this.add({ vaultId, displayName: params.display_name ?? null, metadata: params.metadata ?? {}, ...parts });
    this.#notifyOf('created', record);
    return record;
  }

  update(vaultId: string, id: string, params: UpdateCredentialParams): CredentialRecord {
    const old = this.active(id, 'updated', vaultId);
    return this.change(old, {
      displayName: params.display_name ?? undefined,
      metadata: patched(old.metadata, params.metadata),
      ...changedAuth(old, params.auth),
    });
  }

  /** Deletes the secret but not the record. Another credential can then have the same key. */
  protected override archived(record: CredentialRecord): CredentialRecord {
    this.#notifyOf('archived', record);
    return this.change(record, { token: null, refreshToken: null, archivedAt: this.context.clock.now() });
  }

  /** Deletes a credential together with its vault. */
  remove({ id }: CredentialRecord): Promise<void> {
    return super.delete(id);
  }

  override async delete(id: string, vaultId = ''): Promise<void> {
    const record = this.get(id, vaultId);
    await super.delete(id);
    this.#notifyOf('deleted', record);
  }

  validate(vaultId: string, id: string): object {
    const record = this.get(id, vaultId);
    const validation = tryCredential(record, this.context.clock.now());
    if (validation.refresh !== null && validation.status === 'invalid' && validation.has_refresh_token) {
      this.#notifyOf('refresh_failed', record);
    }
    return validation;
  }

  #notifyOf(what: string, { id, vaultId }: CredentialRecord): void {
    this.notify({ type: `vault_credential.${what}`, id, more: { vault_id: vaultId } });
  }
}

export function vaultRoutes(vaults: Vaults): readonly Route[] {
  const { credentials } = vaults;
  const lists = { filters: ['include_archived'], limits: { normal: 20, most: 100 } };
  return [
    ...kindRoutes({
      name: 'vaults',
      path: '/v1/vaults',
      type: 'vault',
      members: vaults,
      ...lists,
      create: async exchange => vaults.create(await exchange.parsed(createVaultSchema)),
      update: async (exchange, id) => vaults.update(id, await exchange.parsed(updateVaultSchema)),
    }),
    ...kindRoutes({
      name: 'vaults.credentials',
      path: '/v1/vaults/:id/credentials',
      type: 'vault_credential',
      members: credentials,
      show: toCredential,
      ...lists,
      create: async (exchange, vaultId) => credentials.create(vaultId, await exchange.parsed(createCredentialSchema)),
      update: async (exchange, id, vaultId) => credentials.update(vaultId, id, await exchange.parsed(updateCredentialSchema)),
      acts: { mcp_oauth_validate: (_, id, vaultId) => credentials.validate(vaultId, id) },
    }),
  ];
}
