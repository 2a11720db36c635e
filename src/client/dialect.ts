import { newerParams } from '../contract/newerParams';

const paths = {
  models: '/models',
  batches: '/messages/batches',
  agents: '/agents',
  sessions: '/sessions',
  environments: '/environments',
  files: '/files',
  skills: '/skills',
  deployments: '/deployments',
  memoryStores: '/memory_stores',
  vaults: '/vaults',
  webhooks: '/webhooks',
} as const;
export type ResourceGroup = keyof typeof paths | 'messages';

/** Path of each group's collection, below `/v1`. */
export const collections: ReadonlyMap<ResourceGroup, string> = new Map(Object.entries(paths) as [ResourceGroup, string][]);

/** Returns whether a status means that the service does not have a collection. */
export function isNotServed(status: number | undefined): boolean {
  return status === 404 || status === 405 || status === 501;
}

/** Names that differ between services. The contract uses neutral names. No other module contains such names. */
export interface Dialect {
  readonly name: DialectName;
  readonly label: string;
  /** First part of the version, beta and user-profile header names: `vendor-version`, `anthropic-beta`. */
  readonly headerPrefix: string;
  readonly version: string;
  /** True if calls of beta resources have `?beta=true`. */
  readonly betaQuery: boolean;
  /** Beta header value per resource group. Calls of an absent group have no beta header. */
  readonly betas: Readonly<Partial<Record<ResourceGroup, string>>>;
  /** Value of the beta header for attributing a batch to a user profile. */
  readonly userProfilesBeta: string;
  /** Authentication header that services of this dialect expect by default. */
  readonly defaultAuth: 'x-api-key' | 'bearer';
  /** `type` and `source` of the vendor's own skills: `vendor` in the contract. */
  readonly vendorSkillType: string;
  /** Fields of an upload that give a skill its title: `display_title` in the contract, `display_name` in the newer shape. */
  readonly skillTitles: readonly string[];
  /** `type` of a repository attached to a session: `git_repository` in the contract. */
  readonly repositoryType: string;
  /** First part of the vendor's model ids: `vendor-` in the contract. */
  readonly modelPrefix: string;
  /** Parameters of a message that the contract does not have. */
  readonly newerParams: readonly string[];
}

/** Returns the model that agent templates use. The service may not have it. */
export function templateModel({ modelPrefix }: Pick<Dialect, 'modelPrefix'>): string {
  return `${modelPrefix}sonnet-5`;
}

/** Dialects: the contract's neutral names, the `anthropic` names of the contract's era, and the names of the newer era. */
export type DialectName = 'contract' | 'anthropic-2023' | 'anthropic-2026';

const managedAgents = 'managed-agents-2026-04-01';

const betasOf2023 = {
  batches: 'message-batches-2024-09-24',
  agents: managedAgents,
  sessions: managedAgents,
  environments: managedAgents,
  files: 'files-api-2025-04-14',
  skills: 'skills-2025-10-02',
  deployments: managedAgents,
  memoryStores: 'agent-memory-2026-07-22',
  vaults: managedAgents,
  webhooks: 'webhooks-2026-03-01',
} satisfies Dialect['betas'];

const { batches: _, files: __, skills: ___, ...betasOf2026 } = betasOf2023;

const contract: Dialect = {
  name: 'contract',
  label: 'Service contract (neutral names)',
  headerPrefix: 'vendor',
  version: '2023-06-01',
  betaQuery: true,
  betas: betasOf2023,
  userProfilesBeta: 'user-profiles',
  defaultAuth: 'x-api-key',
  vendorSkillType: 'vendor',
  skillTitles: ['display_title'],
  repositoryType: 'git_repository',
  modelPrefix: 'vendor-',
  newerParams: [],
};

const anthropic2023: Dialect = {
  ...contract,
  name: 'anthropic-2023',
  label: 'Anthropic names, version 2023-06-01',
  headerPrefix: 'anthropic',
  userProfilesBeta: 'user-profiles-2026-08-18',
  vendorSkillType: 'anthropic',
  // Some services of this dialect use the newer field name.
  skillTitles: ['display_title', 'display_name'],
  repositoryType: 'github_repository',
  modelPrefix: 'claude-',
};

/**
 * Presets. In the newer era, files, skills and batches need no beta. The other presets send the betas of the contract's era, which all of
 * its servers accept.
 */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  contract,
  'anthropic-2023': anthropic2023,
  'anthropic-2026': {
    ...anthropic2023,
    name: 'anthropic-2026',
    label: 'Anthropic names, version 2026-10-21',
    version: '2026-10-21',
    betaQuery: false,
    betas: betasOf2026,
    defaultAuth: 'bearer',
    skillTitles: ['display_name'],
    newerParams,
  },
};
