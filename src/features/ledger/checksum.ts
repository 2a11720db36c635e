import { createHash } from 'node:crypto';

/** Appends a checksum to JSON, so that a reader notices changes by a disk or another program. */
export function withChecksum(json: string): string {
  return `${json}${checksumOf(json)}\n`;
}

/** Throws if a text has a checksum that does not match its JSON. Older versions write none. */
export function verifyChecksum(text: string): void {
  const [, json = '', checksum] = /^([\s\S]*\n)([ \t]{32})\n$/.exec(text) ?? [];
  if (checksum !== undefined && checksum !== checksumOf(json)) {
    throw new Error('it was changed since it was written');
  }
}

/** Returns 32 bits as whitespace, which older versions ignore. */
function checksumOf(json: string): string {
  const bits = createHash('sha256').update(json).digest().readUInt32BE(0).toString(2).padStart(32, '0');
  return bits.replaceAll('0', ' ').replaceAll('1', '\t');
}
