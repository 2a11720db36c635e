import { customIdPattern } from '../../contract/customId';
import { Allow, Capture, Node, ObjectWord, TextKind, WatchKind } from '../wasm/requestLayout';

export const unbounded = 0x7fffffff;

/** Patterns that the scan supports, keyed by their source. */
export const knownPatterns: ReadonlyMap<string, { readonly kind: number; readonly min: number; readonly max: number }> = new Map([
  ['^[a-zA-Z0-9_-]+$', { kind: TextKind.Identifier, min: 1, max: unbounded }],
  [customIdPattern.source, { kind: TextKind.Identifier, min: 1, max: 64 }],
  ['^[a-zA-Z0-9_-]{1,128}$', { kind: TextKind.Identifier, min: 1, max: 128 }],
  ['^[a-zA-Z0-9_-]{1,256}$', { kind: TextKind.Identifier, min: 1, max: 256 }],
  ['^srvtoolu_[a-zA-Z0-9_]+$', { kind: TextKind.ServerTool, min: 10, max: unbounded }],
]);

const slots = 64;
const slotBytes = 16;

/** Values that a node allows, derived from a schema. */
export type ScannedNode = ReturnType<typeof emptyNode>;

/** Returns whether the node already allows one of the kinds. If so, marks it as unsure: it describes only the first option of a kind. */
export function hasKind(node: ScannedNode, kinds: number): boolean {
  const isThere = (node.flags & kinds) !== 0;
  node.flags |= isThere ? Allow.Unsure : 0;
  return isThere;
}

/** Returns a node that allows no value. */
export function emptyNode() {
  return {
    flags: 0 as number,
    capture: Capture.None as Capture,
    min: Number.NEGATIVE_INFINITY,
    max: Number.POSITIVE_INFINITY,
    textMin: 0,
    textMax: unbounded as number,
    textKind: TextKind.Free as TextKind,
    textTable: 0,
    itemsMin: 0,
    itemsMax: unbounded as number,
    item: 0,
    object: 0,
    watch: WatchKind.None as WatchKind,
  };
}

/** Object in the form that the scan reads. `other` is the node of all unlisted fields, or 0. */
interface ScannedObject {
  readonly kind: number;
  readonly table: number;
  /** One bit for each required field. */
  readonly required: bigint;
  readonly other: number;
  /** Maximum length of a name that can be a misspelling of a listed one. */
  readonly longest: number;
  /** Object for unknown types, if the object is chosen by its type. 0 if unknown types are not allowed. */
  readonly open?: number;
}

/** Memory of the scan's tables, filled from `base` on. */
export class ScanMemory {
  private view = new DataView(new ArrayBuffer(1 << 16));
  private used = 8;

  constructor(private readonly base: number) {}

  bytes(): Uint8Array {
    return new Uint8Array(this.view.buffer, 0, this.used);
  }

  reserveObject(): number {
    return this.allocate(ObjectWord.Bytes);
  }

  writeObject(at: number, { kind, table, required, other, longest, open = 0 }: ScannedObject): void {
    this.put32(at + ObjectWord.Kind, kind);
    this.put32(at + ObjectWord.Table, table);
    this.view.setBigUint64(at + ObjectWord.Required - this.base, required, true);
    this.put32(at + ObjectWord.Other, other);
    this.put32(at + ObjectWord.LongestSlip, longest);
    this.put32(at + ObjectWord.Open, open);
  }

  /** Adds a hash table of texts and returns its address. Each text maps to a target and to its bit among the required fields. */
  table(entries: readonly (readonly [text: string, target: number, bit: number])[]): number {
    if (entries.length > slots / 2) {
      throw new Error(`A table of ${entries.length} texts is too full.`);
    }
    const at = this.allocate(slots * slotBytes);
    for (const [text, target, bit] of entries) {
      const bytes = Buffer.from(text);
      const textAt = this.allocate(bytes.length);
      new Uint8Array(this.view.buffer).set(bytes, textAt - this.base);
      let index = (bytes.length * 31 + (bytes[0] ?? 0) * 7 + (bytes.at(-1) ?? 0) * 13) % slots;
      while (this.view.getUint32(at + index * slotBytes - this.base, true) !== 0) {
        index = (index + 1) % slots;
      }
      const slot = at + index * slotBytes;
      this.put32(slot, textAt);
      this.put32(slot + 4, bytes.length);
      this.put32(slot + 8, target);
      this.put32(slot + 12, bit);
    }
    return at;
  }

  writeNode(node: ScannedNode): number {
    const at = this.allocate(Node.Bytes);
    this.put32(at + Node.Flags, node.flags);
    this.put32(at + Node.Capture, node.capture);
    this.view.setFloat64(at + Node.Min - this.base, node.min, true);
    this.view.setFloat64(at + Node.Max - this.base, node.max, true);
    const { textMin, textMax, textKind, textTable, itemsMin, itemsMax, item, object, watch } = node;
    const words = [textMin, textMax, textKind, textTable, itemsMin, itemsMax, item, object, watch];
    for (const [index, word] of words.entries()) {
      this.put32(at + Node.TextMin + index * 4, word);
    }
    return at;
  }

  private allocate(bytes: number): number {
    const at = this.used;
    this.used = (this.used + bytes + 7) & ~7;
    if (this.used > this.view.byteLength) {
      const grown = new Uint8Array(Math.max(this.used, this.view.byteLength * 2));
      grown.set(new Uint8Array(this.view.buffer));
      this.view = new DataView(grown.buffer);
    }
    return this.base + at;
  }

  private put32(at: number, value: number): void {
    this.view.setUint32(at - this.base, value, true);
  }
}
