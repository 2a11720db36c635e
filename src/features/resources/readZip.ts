import { crc32, inflateRawSync } from 'node:zlib';

export interface ZipLimits {
  readonly entries: number;
  /** Total uncompressed size in bytes. */
  readonly bytes: number;
}

/** One file of an archive. Its path is relative and stays below the root. */
export interface ZipFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Error for an archive that is broken or malicious. The message says why in one sentence. */
export class ZipError extends Error {
  override readonly name = 'ZipError';
}

interface Entry {
  readonly path: string;
  readonly rawName: Uint8Array;
  readonly isFolder: boolean;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

const endLength = 22;
const entryLength = 46;
const headLength = 30;
const longestComment = 0xffff;
/** Size in bytes above which the compression ratio of a file is limited. Text stays below the limit, zip bombs don't. */
const ratioFrom = 1024 * 1024;
const maxRatio = 250;

/**
 * Unpacks an untrusted zip archive in memory. Returns its files in the archive's order, without folders. Reads the central directory but
 * does not trust its contents. Never unpacks more than the limits. Lengths and checksums must match. Paths must be unique, relative and
 * below the root. Links are refused. Throws a `ZipError` for any other archive.
 */
export function readZip(archive: Uint8Array, limits: ZipLimits): readonly ZipFile[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const { count, start, end } = findDirectory(view);
  if (count > limits.entries) {
    throw new ZipError(`The archive has ${count} entries; at most ${limits.entries} are read.`);
  }
  const entries: Entry[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + entryLength > end || view.getUint32(at, true) !== 0x02014b50) {
      throw new ZipError('The archive is damaged: its directory is invalid.');
    }
    const next = at + entryLength + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > end) {
      throw new ZipError('The archive is damaged: its directory is invalid.');
    }
    entries.push(readEntry(archive, view, at));
    at = next;
  }
  const files = entries.filter(({ isFolder }) => !isFolder);
  if (new Set(files.map(({ path }) => path)).size !== files.length) {
    throw new ZipError('The archive contains a file twice.');
  }
  if (files.reduce((sum, { size }) => sum + size, 0) > limits.bytes) {
    throw new ZipError(`The archive would unpack to more than ${limits.bytes} bytes.`);
  }
  return files.map(entry => ({ path: entry.path, bytes: unpack(archive, view, entry, start) }));
}

/** Returns the position of the central directory, as stated at the end of the archive. */
function findDirectory(view: DataView): { readonly count: number; readonly start: number; readonly end: number } {
  const last = view.byteLength - endLength;
  for (let at = last; at >= Math.max(0, last - longestComment); at--) {
    if (view.getUint32(at, true) === 0x06054b50 && view.getUint16(at + 20, true) === last - at) {
      const count = view.getUint16(at + 10, true);
      const size = view.getUint32(at + 12, true);
      const start = view.getUint32(at + 16, true);
      if (view.getUint16(at + 4, true) !== 0 || view.getUint16(at + 6, true) !== 0 || view.getUint16(at + 8, true) !== count) {
        throw new ZipError('Multi-part archives are not supported.');
      }
      if (start + size > at) {
        throw new ZipError('The archive is damaged: its directory is invalid.');
      }
      return { count, start, end: start + size };
    }
  }
  throw new ZipError('Not a zip archive.');
}

function readEntry(archive: Uint8Array, view: DataView, at: number): Entry {
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const packed = view.getUint32(at + 20, true);
  const size = view.getUint32(at + 24, true);
  const rawName = archive.subarray(at + entryLength, at + entryLength + view.getUint16(at + 28, true));
  const path = toPath(rawName);
  const isFolder = path.endsWith('/');
  checkPath(isFolder ? path.slice(0, -1) : path);
  checkType(view.getUint16(at + 4, true) >> 8, view.getUint32(at + 38, true), path);
  if ((flags & 1) !== 0) {
    throw new ZipError('The archive is encrypted.');
  }
  if (method !== 0 && method !== 8) {
    throw new ZipError('The compression method of the archive is not supported.');
  }
  if (size > ratioFrom && size > packed * maxRatio) {
    throw new ZipError(`The archive contains ${shown(path)} with a suspicious compression ratio.`);
  }
  return { path, rawName, isFolder, method, crc: view.getUint32(at + 16, true), packed, size, offset: view.getUint32(at + 42, true) };
}

function toPath(name: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    throw new ZipError('The archive contains a path that is not UTF-8.');
  }
}

/** Checks that a path is relative and has the same meaning on all systems. */
function checkPath(path: string): void {
  const isPlain = path.split('/').every(name => name !== '' && name !== '.' && name !== '..');
  if (!isPlain || path.length > 1000 || /[\\\p{Cc}]|^[A-Za-z]:/u.test(path)) {
    throw new ZipError(`The archive contains a path outside its root: ${shown(path)}.`);
  }
}

/** Checks that an entry is a file or a folder, if the archive contains the type. */
function checkType(system: number, attributes: number, path: string): void {
  const type = (attributes >>> 28) & 0xf;
  // Archives of Unix and macOS contain the file type.
  if ((system === 3 || system === 19) && ![0, 0x4, 0x8].includes(type)) {
    throw new ZipError(`The archive contains a link or a device: ${shown(path)}.`);
  }
}

function unpack(archive: Uint8Array, view: DataView, entry: Entry, directory: number): Uint8Array {
  const { path, rawName, method, crc, packed, size, offset } = entry;
  const broken = () => new ZipError(`The archive is damaged at ${shown(path)}.`);
  if (offset + headLength > directory || view.getUint32(offset, true) !== 0x04034b50) {
    throw broken();
  }
  const nameLength = view.getUint16(offset + 26, true);
  const start = offset + headLength + nameLength + view.getUint16(offset + 28, true);
  const name = archive.subarray(offset + headLength, offset + headLength + nameLength);
  if (start + packed > directory || Buffer.compare(name, rawName) !== 0 || (method === 0 && packed !== size)) {
    throw broken();
  }
  const data = archive.subarray(start, start + packed);
  let bytes: Uint8Array;
  try {
    bytes = method === 0 ? data.slice() : inflateRawSync(data, { maxOutputLength: Math.max(1, size) });
  } catch {
    throw broken();
  }
  if (bytes.byteLength !== size || crc32(bytes) !== crc) {
    throw broken();
  }
  return bytes;
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, 100));
}
