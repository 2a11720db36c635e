/** The names a service uses where the contract's own are neutral. One table, one place. */
export interface Dialect {
  readonly name: DialectName;
  /** Shown to users when they choose. */
  readonly label: string;
  /** First part of the version, beta and user-profile header names: `vendor-version`, `anthropic-beta`. */
  readonly headerPrefix: string;
  /** Value of the version header. */
  readonly version: string;
  /** Whether beta resources are called with `?beta=true`. */
  readonly betaQuery: boolean;
  /** Beta header value per resource group; a group that is absent sends none. */
  readonly betas: Readonly<Partial<Record<ResourceGroup, string>>>;
  /** Authentication header that services of this dialect expect unless the connection says otherwise. */
  readonly defaultAuth: 'x-api-key' | 'bearer';
  /** `type` and `source` of the vendor's own skills: `vendor` in the contract. */
  readonly vendorSkillType: string;
  /** `type` of a repository attached to a session: `git_repository` in the contract. */
  readonly repositoryType: string;
  /** First part of the vendor's model ids: `vendor-` in the contract. */
  readonly modelPrefix: string;
}

/** The contract as it stands; services with the `anthropic` names of the contract's era; services of the newer era. */
export type DialectName = 'contract' | 'anthropic-2023' | 'anthropic-2026';

export type ResourceGroup =
  | 'models'
  | 'messages'
  | 'batches'
  | 'agents'
  | 'sessions'
  | 'environments'
  | 'files'
  | 'skills'
  | 'deployments'
  | 'memoryStores'
  | 'vaults'
  | 'webhooks';
