/** Scheme of memories as files. */
export const memoryScheme = 'managed-agents-memory';

/** A memory or a folder of them, by its path in a store; `/` is the store itself. */
export interface MemoryPlace {
  readonly connection: string;
  readonly storeId: string;
  /** As the service has it, without the `/` at the end of a folder. */
  readonly path: string;
}

/** The path of the address of a place: what would lead elsewhere or cannot be seen is percent-encoded, and so is the percent sign. */
export function toUriPath({ connection, storeId, path }: MemoryPlace): string {
  const segments = path === '/' ? [] : path.split('/').slice(1);
  return `/${[connection, storeId, ...segments].map(encode).join('/')}`;
}

/** What an address leads to; undefined for a path that is none of ours. */
export function parseUriPath(uriPath: string): MemoryPlace | undefined {
  const [connection, storeId, ...segments] = uriPath.replace(/\/$/, '').split('/').slice(1).map(decode);
  return connection === undefined || storeId === undefined || storeId === ''
    ? undefined
    : { connection, storeId, path: `/${segments.join('/')}` };
}

/** The folder that a path stands in; that of the store ends the way. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** What draws nothing or turns the direction of text, separators of other systems, and our own sign of an escape. */
const unsafe = /[%/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function encode(segment: string): string {
  return /^\.{1,2}$/.test(segment) ? segment.replaceAll('.', '%2E') : segment.replace(unsafe, escapeOf);
}

function escapeOf(character: string): string {
  try {
    return encodeURIComponent(character);
  } catch {
    // Half of a character: no service has such a path.
    return '%EF%BF%BD';
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
