import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type FileState, fileStateOf } from './fileState';

/** Hashes of a file's bytes, and its states before the first read and after the last. */
export interface FileHash {
  /** SHA-256 as lowercase hexadecimal digits. */
  readonly sha256: string;
  readonly crc32: number;
  readonly before: FileState;
  readonly after: FileState;
}

const pieceBytes = 256 * 1024;

/** Reads a file once to compute its SHA-256 and CRC-32. Blocks, so use it in a worker thread. */
export function hashFile(path: string, { throwIfAborted }: { readonly throwIfAborted: () => void }): FileHash {
  const file = openSync(path, 'r');
  try {
    const before = fileStateOf(file);
    const hash = new ByteHash();
    const piece = new Uint8Array(pieceBytes);
    for (let read = -1; read !== 0; ) {
      throwIfAborted();
      read = readSync(file, piece, 0, pieceBytes, null);
      hash.update(piece.subarray(0, read));
    }
    return { ...hash.digest(), before, after: fileStateOf(file) };
  } finally {
    closeSync(file);
  }
}

export class ByteHash {
  private readonly sha256 = createHash('sha256');
  private crc32 = 0;

  update(bytes: Uint8Array): void {
    this.sha256.update(bytes);
    this.crc32 = crc32(bytes, this.crc32);
  }

  digest(): Pick<FileHash, 'sha256' | 'crc32'> {
    return { sha256: this.sha256.digest('hex'), crc32: this.crc32 };
  }
}
