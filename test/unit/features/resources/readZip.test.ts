import assert from 'node:assert/strict';
import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { readZip, ZipError, type ZipLimits } from '../../../../src/features/resources/readZip';
import { runs } from '../../../helpers/runs';

/** Wrong values in the headers of an archive. */
type Lie = Partial<Record<'size' | 'packed' | 'crc' | 'offset' | 'flags' | 'method' | 'system' | 'mode', number>> & {
  readonly localName?: string;
};

interface Part {
  readonly path: string | Uint8Array;
  readonly content?: Uint8Array;
  readonly lie?: Lie;
  readonly isStored?: boolean;
  /** Puts sizes and checksum after the data, as archives written by Go do. */
  readonly hasDescriptor?: boolean;
}

interface End {
  readonly count?: number;
  readonly start?: number;
  readonly comment?: string;
}

/** Builds a zip archive, optionally with wrong values in its headers. */
function archive(parts: readonly Part[], end: End = {}): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { head, entry } = packed(part, offset);
    directory.push(entry);
    pieces.push(head);
    offset += head.length;
  }
  const listed = Buffer.concat(directory);
  const comment = Buffer.from(end.comment ?? '');
  const tail = Buffer.alloc(22);
  tail.writeUInt32LE(0x06054b50);
  tail.writeUInt16LE(end.count ?? parts.length, 8);
  tail.writeUInt16LE(end.count ?? parts.length, 10);
  tail.writeUInt32LE(listed.length, 12);
  tail.writeUInt32LE(end.start ?? offset, 16);
  tail.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...pieces, listed, tail, comment]);
}

/** Builds the entry of a file at `offset`, and its directory record. */
function packed({ path, content = new Uint8Array(), lie = {}, isStored = false, hasDescriptor = false }: Part, offset: number) {
  const name = Buffer.from(path as string);
  const data = isStored ? Buffer.from(content) : deflateRawSync(content);
  const flags = lie.flags ?? (hasDescriptor ? 8 : 0);
  const method = lie.method ?? (isStored ? 0 : 8);
  const sizes = [lie.crc ?? crc32(content), lie.packed ?? data.length, lie.size ?? content.length];
  const write = (to: Buffer, at: number, values: readonly number[]) => {
    for (const [index, value] of values.entries()) {
      to.writeUInt32LE(value, at + index * 4);
    }
  };
  const local = Buffer.from(lie.localName ?? name);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(method, 8);
  write(head, 14, hasDescriptor ? [0, 0, 0] : sizes);
  head.writeUInt16LE(local.length, 26);
  const descriptor = Buffer.alloc(hasDescriptor ? 16 : 0);
  if (hasDescriptor) {
    write(descriptor, 0, [0x08074b50, ...sizes]);
  }
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50);
  entry.writeUInt8(lie.system ?? 3, 5);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(method, 10);
  write(entry, 16, sizes);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(((lie.mode ?? 0) << 16) >>> 0, 38);
  entry.writeUInt32LE(lie.offset ?? offset, 42);
  return { head: Buffer.concat([head, local, data, descriptor]), entry: Buffer.concat([entry, name]) };
}

const limits: ZipLimits = { entries: 100, bytes: 4 * 1024 * 1024 };
const text = (value: string) => Buffer.from(value);
const read = (bytes: Uint8Array) => readZip(bytes, limits).map(({ path, bytes: content }) => [path, Buffer.from(content).toString()]);

function refuses(bytes: Uint8Array, words: RegExp): void {
  assert.throws(
    () => readZip(bytes, limits),
    (error: unknown) => error instanceof ZipError && words.test(error.message),
    String(words),
  );
}

describe('features/resources/readZip', () => {
  it('reads what other tools write: stored, deflated, with data descriptors, folders, a comment, UTF-8 names', () => {
    const parts: readonly Part[] = [
      { path: 's/', isStored: true },
      { path: 's/SKILL.md', content: text('---\n'), hasDescriptor: true },
      { path: 's/größe/😀.txt', content: text('x'), isStored: true, lie: { mode: 0o100644 } },
      { path: 's/empty' },
    ];
    assert.deepEqual(read(archive(parts, { comment: 'PK\u0005\u0006 said in passing' })), [
      ['s/SKILL.md', '---\n'],
      ['s/größe/😀.txt', 'x'],
      ['s/empty', ''],
    ]);
    assert.deepEqual(read(archive([])), []);
  });

  it('reads every archive of another tool, file by file', () => {
    const name = fc.stringMatching(/^[a-zA-Z0-9äö_-]{1,12}$/);
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(names => names.join('/'));
    const file = fc.tuple(path, fc.uint8Array({ maxLength: 3000 }));
    const files = fc.uniqueArray(file, { maxLength: 12, selector: ([key]) => key });
    const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
    fc.assert(
      fc.property(files, fc.constantFrom(0 as const, 6 as const, 9 as const), (wanted, level) => {
        const packedFiles = Object.fromEntries(wanted.map(([key, bytes]) => [`s/${key}`, bytes]));
        const found = readZip(zipSync(packedFiles, { level }), limits).map(({ path: key, bytes }) => [key, toHex(bytes)]);
        const expected = wanted.map(([key, bytes]) => [`s/${key}`, toHex(bytes)]);
        assert.deepEqual(found.sort(), expected.sort());
      }),
      { numRuns: runs(500) },
    );
  });

  for (const path of [
    '../x',
    's/../../x',
    '/etc/x',
    's//x',
    './x',
    's/./x',
    'C:/x',
    'c:x',
    's\\x',
    '..\\x',
    's/x\0',
    's/\nx',
    '',
    '/',
    '../',
  ]) {
    it(`rejects an archive with the path ${JSON.stringify(path)}`, () => {
      refuses(archive([{ path: 's/SKILL.md', content: text('x') }, { path }]), /outside its root/);
    });
  }

  it('rejects an archive with false sizes or checksums', () => {
    const content = text('hello '.repeat(100));
    const lying = (lie: Lie, isStored = false) => archive([{ path: 's/a', content, isStored, lie }]);
    refuses(lying({ size: 5 }), /damaged at "s\/a"/);
    refuses(lying({ size: content.length + 1 }), /damaged/);
    refuses(lying({ crc: 1 }), /damaged/);
    refuses(lying({ packed: 1_000_000 }), /damaged/);
    refuses(lying({ packed: 3 }, true), /damaged/);
    refuses(lying({ offset: 7 }), /damaged/);
    refuses(lying({ offset: 0xfffffff0 }), /damaged/);
    refuses(lying({ localName: 's/b' }), /damaged/);
    refuses(lying({ flags: 1 }), /encrypted/);
    refuses(lying({ method: 12 }), /compression method/);
    refuses(lying({ mode: 0o120777 }), /link or a device/);
    refuses(lying({ mode: 0o120777, system: 19 }), /link or a device/);
    refuses(lying({ mode: 0o020644 }), /link or a device/);
    const file = { path: 's/a', content };
    refuses(archive([file, file]), /twice/);
    refuses(archive([{ path: Buffer.from([0x73, 0x2f, 0xff]) }]), /not UTF-8/);
  });

  it('rejects an archive with a wrong directory, and anything else', () => {
    refuses(text(''), /Not a zip archive/);
    refuses(text('PK\u0003\u0004 and more that is none'), /Not a zip archive/);
    refuses(archive([{ path: 'a' }], { count: 2 }), /directory is invalid/);
    refuses(archive([{ path: 'a' }], { start: 5000 }), /directory is invalid/);
    refuses(archive([{ path: 'a' }]).subarray(3), /Not a zip archive|damaged|directory is invalid/);
  });

  it('unpacks at most the limits, whatever an archive claims', () => {
    refuses(archive(Array.from({ length: 101 }, (_, index) => ({ path: `s/${index}` }))), /101 entries; at most 100/);
    refuses(archive([{ path: 's/a', content: Buffer.alloc(3 * 1024 * 1024) }]), /suspicious compression ratio/);
    const content = Buffer.alloc(3 * 1024 * 1024, 'so much');
    const large = ['s/a', 's/b'].map(path => ({ path, content, isStored: true }));
    refuses(archive(large), /more than 4194304 bytes/);
    // Reading stops when an entry exceeds the size in its header.
    refuses(archive([{ path: 's/a', content: Buffer.alloc(64 * 1024 * 1024), lie: { size: 10 } }]), /damaged/);
  });

  it('turns any bytes into an error message or files within the limits', () => {
    const good = archive([
      { path: 's/SKILL.md', content: text('---\nname: s\n---\n'), hasDescriptor: true },
      { path: 's/b/c', content: text('x'.repeat(300)) },
    ]);
    const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(good.length), (changes, cut) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of changes) {
          bytes[at] = value;
        }
        for (const damaged of [bytes, bytes.subarray(cut)]) {
          try {
            for (const file of readZip(damaged, limits)) {
              assert.ok(!file.path.split('/').includes('..') && !file.path.startsWith('/') && file.bytes.byteLength <= limits.bytes);
            }
          } catch (error) {
            assert.ok(error instanceof ZipError, String(error));
          }
        }
      }),
      { numRuns: runs(5000) },
    );
  });
});
