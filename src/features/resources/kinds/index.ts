import type { ResourceKind } from '../resourceKind';
import { agents, agentVersions } from './agents';
import { credentials } from './credentials';
import { deploymentRuns, deployments } from './deployments';
import { environmentSessions, environments, work } from './environments';
import { files } from './files';
import { memories, memoryStores } from './memoryStores';
import { skillFiles, skills, skillVersions } from './skills';
import { vaults } from './vaults';
import { webhooks } from './webhooks';

/** Groups of the Resources view, in their order. */
export const kinds: readonly ResourceKind[] = [environments, deployments, files, vaults, webhooks, memoryStores, skills];

/** Kinds of the Resources view, including kinds that only appear below another resource. */
export const resourceKinds: readonly ResourceKind[] = [
  ...kinds,
  environmentSessions,
  work,
  deploymentRuns,
  credentials,
  memories,
  skillVersions,
  skillFiles,
];

/** Every kind, including agents, which have their own view. */
export const everyKind: readonly ResourceKind[] = [...resourceKinds, agents, agentVersions];

/** Path to each nested kind, keyed by the name of the nested kind. Lists the kinds to choose from in turn, from the top level down. */
export const waysTo: ReadonlyMap<string, readonly ResourceKind[]> = new Map([
  [agentVersions.kind, [agents, agentVersions]],
  [work.kind, [environments, work]],
  [credentials.kind, [vaults, credentials]],
  [memories.kind, [memoryStores, memories]],
  [skillVersions.kind, [skills, skillVersions]],
  [skillFiles.kind, [skills, skillVersions, skillFiles]],
  [deploymentRuns.kind, [deployments, deploymentRuns]],
]);
