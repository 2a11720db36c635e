import { createHash } from 'node:crypto';

/** Returns JSON with its checksum behind it, by which a reader notices what a disk or a stranger changed. */
export function withChecksum(json: string): string {
  return `${json}${checksumOf(json)}\n`;
}

/** Throws if a text has a checksum that is not that of its JSON. Older versions write none. */
export function verifyChecksum(text: string): void {
  const [, json = '', checksum] = /^([\s\S]*\n)([ \t]{32})\n$/.exec(text) ?? [];
  if (checksum !== undefined && checksum !== checksumOf(json)) {
    throw new Error('it was changed since it was written');
  }
}

/** 32 bits as blanks: older versions read over them. */
function checksumOf(json: string): string {
  const bits = createHash('sha256').update(json).digest().readUInt32BE(0).toString(2).padStart(32, '0');
  return bits.replaceAll('0', ' ').replaceAll('1', '\t');
}
