import type { ResourceGroup } from './dialect';

/** Path of each group's collection, below `/v1`. */
export const collections: ReadonlyMap<ResourceGroup, string> = new Map([
  ['models', '/models'],
  ['batches', '/messages/batches'],
  ['agents', '/agents'],
  ['sessions', '/sessions'],
  ['environments', '/environments'],
  ['files', '/files'],
  ['skills', '/skills'],
  ['deployments', '/deployments'],
  ['memoryStores', '/memory_stores'],
  ['vaults', '/vaults'],
  ['webhooks', '/webhooks'],
]);

/** Returns whether a status means that the service does not have a collection. */
export function isNotServed(status: number | undefined): boolean {
  return status === 404 || status === 405 || status === 501;
}
