import type { Handlers } from '../../../common/commands';
import { createFromFile, createResource } from '../createResource';
import { memoryStores } from '../kinds/memoryStores';
import type { ResourceFlow } from '../resourceFlow';

/** What the commands on memory stores and memories do. */
export function createMemoryCommands(flow: ResourceFlow) {
  const opening = () => import('./openMemory');
  return {
    'managedAgents.memoryStore.create': () => createResource(flow, memoryStores.kind),
    'managedAgents.memoryStore.createFromFile': file => createFromFile(flow, memoryStores.kind, file),
    'managedAgents.memoryStore.search': async target => (await import('./searchMemories')).searchMemories(flow, target),
    'managedAgents.memoryStore.copyToFolder': async target => (await import('./folders/copyToFolder')).copyToFolder(flow, target),
    'managedAgents.memoryStore.writeFolder': async target => (await import('./folders/writeFolder')).writeFolder(flow, target),
    'managedAgents.memory.create': async target => (await opening()).newMemory(flow, target),
    'managedAgents.memory.open': async target => (await opening()).openMemory(flow, target),
    'managedAgents.memory.rename': async target => (await opening()).renameMemory(flow, target),
    'managedAgents.memory.showVersions': async target => (await import('./showVersions')).showVersions(flow, target),
  } satisfies Partial<Handlers>;
}
