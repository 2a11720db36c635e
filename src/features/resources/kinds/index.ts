import type { ResourceKind } from '../resourceKind';
import { credentials } from './credentials';
import { deploymentRuns } from './deploymentRuns';
import { deployments } from './deployments';
import { environmentSessions } from './environmentSessions';
import { environments } from './environments';
import { files } from './files';
import { memories } from './memories';
import { memoryStores } from './memoryStores';
import { skillFiles } from './skillFiles';
import { skills } from './skills';
import { skillVersions } from './skillVersions';
import { vaults } from './vaults';
import { webhooks } from './webhooks';
import { work } from './work';

export { toHover } from '../resourcePresentation';
export { deploymentsOfAgent, describeUses } from './dependents';
export { skills, skillVersions };

/** Groups of the Resources view, in their order. */
export const kinds: readonly ResourceKind[] = [environments, deployments, files, vaults, webhooks, memoryStores, skills];

/** Every kind, including those that only appear below others. */
export const everyKind: readonly ResourceKind[] = [
  ...kinds,
  environmentSessions,
  work,
  deploymentRuns,
  credentials,
  memories,
  skillVersions,
  skillFiles,
];

/** Kinds to choose from in turn, from the top level down to the kind that the key names. */
export const waysTo: ReadonlyMap<string, readonly ResourceKind[]> = new Map([
  [work.kind, [environments, work]],
  [credentials.kind, [vaults, credentials]],
  [memories.kind, [memoryStores, memories]],
  [skillVersions.kind, [skills, skillVersions]],
  [skillFiles.kind, [skills, skillVersions, skillFiles]],
  [deploymentRuns.kind, [deployments, deploymentRuns]],
]);
