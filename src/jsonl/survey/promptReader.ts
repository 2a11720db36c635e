import { decodeString, LF, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../scanning/jsonBytes';
import { BlockReader } from './blockReader';
import { markerKind, PromptBlock } from './promptBlock';
import { addTokens, costOf, tokenKind, tokenKinds, toTokenRange } from './tokenTable';
import { seedA, seedB, type TextListener } from './valueReader';
import { WordTable } from './wordTable';

/** Blocks of one section that are told apart; longer prompts have their tokens counted, but no prefixes beyond. */
const mostBlocks = 1024;

const lineKeys = new WordTable(['custom_id', 'params']);
const paramKeys = new WordTable(['model', 'messages', 'max_tokens', 'system', 'tools', 'cache_control', 'fallback_credit_token']);
const messageKeys = new WordTable(['role', 'content']);

/**
 * Reads the prompt of one request at a time from the bytes of its line: blocks in the order tools, system, messages, what each says
 * and how many tokens it may be. Takes every line that is JSON and an object with the fields of a request or of message params,
 * however wrong the rest is. Give it the bytes by `bytes`; they must be UTF-8 and hold a LF behind the line.
 */
export class PromptReader extends BlockReader {
  /** The blocks of the line read last: the first `blockCount` of them. */
  readonly blocks: PromptBlock[] = [];
  blockCount = 0;
  /** Whether the request stands under `params`. */
  isWhole = false;
  /** NaN when it is missing or no whole number from 0. */
  maxTokens = Number.NaN;
  /** Likely tokens by kind. */
  readonly tokens = new Float64Array(tokenKinds);
  /** Blocks whose tokens are not in their text. */
  opaque = 0;
  /** `markerKind` of the field beside `model`. */
  topMarker: number = markerKind.none;
  /** Index in `blocks` of the last block that can be marked, or -1. */
  lastCacheable = -1;

  private readonly sections: readonly PromptBlock[][] = [[], [], []];
  private readonly counts = [0, 0, 0];
  private readonly overflow = [false, false, false];
  private readonly isEmpty = [true, true, true];
  private readonly sectionTokens = [new Float64Array(tokenKinds), new Float64Array(tokenKinds), new Float64Array(tokenKinds)];
  private readonly block = new Float64Array(tokenKinds);
  /** The model's JSON string; -1 when there is none. */
  private modelStart = -1;
  private modelEnd = -1;
  private modelA = 0;
  private modelB = 0;
  private isRequest = false;
  /** `type: text` and the name `text`, as they go into the hash of a block. */
  private readonly textType: readonly [number, number];
  private readonly textKey: readonly [number, number];

  constructor() {
    super();
    this.bytes = Buffer.from('"type""text"\n');
    this.startMember(0);
    this.text(6);
    this.textType = [this.a, this.b];
    this.startMember(6);
    this.textKey = [this.a, this.b];
  }

  /** A number that requests of the same model share; 0 when there is none. */
  get modelKey(): number {
    return this.modelA * 0x100000 + (this.modelB & 0xfffff);
  }

  /** The model, or '' when there is none or it is longer than names are. */
  get model(): string {
    const length = this.modelEnd - this.modelStart;
    return length > 2 && length < 1024 ? decodeString(this.bytes, this.modelStart, this.modelEnd) : '';
  }

  /**
   * Reads the line that begins at `from`. Returns the place of its LF; -1 when it holds no request, and then nothing else is set.
   * A blank line holds none.
   */
  read(from: number, listener: TextListener): number {
    this.listener = listener;
    this.isWhole = false;
    this.clear();
    const { json } = this;
    const start = json.skipSpace(from);
    if (this.bytes[start] !== OPEN_BRACE) {
      return -1;
    }
    const close = this.members(start, (keyStart, keyEnd, at) => {
      const key = lineKeys.find(this.bytes, keyStart, keyEnd);
      if (key === undefined) {
        return this.isWhole ? this.other(at, 2) : this.param(keyStart, keyEnd, at, 2);
      }
      if (key === 'params' || !this.isWhole) {
        this.clear();
      }
      this.isWhole = true;
      this.isRequest = true;
      if (key === 'params' && this.bytes[at] === OPEN_BRACE) {
        return this.members(at, (innerStart, innerEnd, innerAt) => this.param(innerStart, innerEnd, innerAt, 3));
      }
      return this.uncounted(at, 2, false);
    });
    const end = close < 0 ? -1 : json.skipSpace(close);
    if (end < 0 || this.bytes[end] !== LF || !this.isRequest) {
      return -1;
    }
    this.finish();
    return end;
  }

  private clear(): void {
    this.modelStart = -1;
    this.modelEnd = -1;
    this.modelA = 0;
    this.modelB = 0;
    this.maxTokens = Number.NaN;
    this.markers = 0;
    this.topMarker = markerKind.none;
    this.isRequest = false;
    for (let section = 0; section < 3; section++) {
      this.clearSection(section);
    }
  }

  private clearSection(section: number): void {
    if (this.isEmpty[section] === true) {
      return;
    }
    this.isEmpty[section] = true;
    this.counts[section] = 0;
    this.overflow[section] = false;
    this.sectionOpaque[section] = 0;
    this.sectionTokens[section]?.fill(0);
  }

  /** Puts the sections one behind the other, and says of each block what the prompt holds up to it. */
  private finish(): void {
    this.blockCount = 0;
    this.lastCacheable = -1;
    this.opaque = 0;
    this.tokens.fill(0);
    let low = 0;
    let likely = 0;
    let high = 0;
    this.a = this.modelA ^ seedA;
    this.b = this.modelB ^ seedB;
    let isCut = false;
    for (let section = 0; section < 3; section++) {
      if (this.isEmpty[section] === true) {
        continue;
      }
      const count = isCut ? 0 : (this.counts[section] as number);
      for (let index = 0; index < count; index++) {
        const block = this.sections[section]?.[index] as PromptBlock;
        this.fold((section << 8) | block.role);
        this.fold(block.hashA);
        this.fold(block.hashB);
        block.prefixA = this.a;
        block.prefixB = this.b;
        block.low = low += block.low;
        block.likely = likely += block.likely;
        block.high = high += block.high;
        if (block.cacheable) {
          this.lastCacheable = this.blockCount;
        }
        this.blocks[this.blockCount++] = block;
      }
      this.opaque += this.sectionOpaque[section] as number;
      addTokens(this.tokens, this.sectionTokens[section] as Float64Array);
      isCut ||= this.overflow[section] === true;
    }
    if (isCut) {
      // The last block of all is none of these.
      this.lastCacheable = -1;
    }
  }

  private param(keyStart: number, keyEnd: number, at: number, depth: number): number {
    const key = paramKeys.find(this.bytes, keyStart, keyEnd);
    const first = this.bytes[at];
    switch (key) {
      case 'model': {
        this.isRequest = true;
        const end = this.other(at, depth);
        if (first === QUOTE && end > 0) {
          this.modelStart = at;
          this.modelEnd = end;
          this.modelA = this.scan.hashA;
          this.modelB = this.scan.hashB;
        }
        return end;
      }
      case 'max_tokens': {
        this.isRequest = true;
        const end = this.other(at, depth);
        this.maxTokens = end < 0 ? Number.NaN : wholeNumber(this.bytes, at, end);
        return end;
      }
      case 'cache_control': {
        const end = this.other(at, depth);
        this.topMarker = this.markerAt(at, end);
        return end;
      }
      case 'fallback_credit_token':
        return this.secretIn(at, depth);
      case 'tools':
        this.clearSection(0);
        this.isEmpty[0] = false;
        return first === OPEN_BRACKET ? this.tools(at, depth) : this.other(at, depth);
      case 'system':
        this.clearSection(1);
        this.isEmpty[1] = false;
        return this.system(at, depth);
      case 'messages':
        this.isRequest = true;
        this.clearSection(2);
        this.isEmpty[2] = false;
        return first === OPEN_BRACKET ? this.messages(at, depth) : this.other(at, depth);
      default:
        return this.other(at, depth);
    }
  }

  private tools(at: number, depth: number): number {
    const total = this.sectionTokens[0] as Float64Array;
    return this.items(at, (place, index) => {
      if (index === 0) {
        total[tokenKind.tools] = costOf(tokenKind.tools);
      }
      return this.promptBlock(place, depth + 1, 0, index, -1);
    });
  }

  private system(at: number, depth: number): number {
    if (this.bytes[at] === OPEN_BRACKET) {
      return this.items(at, (place, index) => this.promptBlock(place, depth + 1, 1, index, -1));
    }
    return this.bytes[at] === QUOTE ? this.promptBlock(at, depth, 1, -1, -1) : this.other(at, depth);
  }

  private messages(at: number, depth: number): number {
    return this.items(at, (place, message) => {
      if (this.bytes[place] !== OPEN_BRACE) {
        return this.other(place, depth + 1);
      }
      const firstBlock = this.counts[2] as number;
      let role = 1;
      const end = this.members(place, (keyStart, keyEnd, value) => {
        const key = messageKeys.find(this.bytes, keyStart, keyEnd);
        if (key === 'role') {
          const roleEnd = this.other(value, depth + 2);
          role = this.bytes[value] === QUOTE ? (this.scan.hashA & 0xff) | 1 : 1;
          return roleEnd;
        }
        if (key === 'content') {
          this.counts[2] = firstBlock;
          if (this.bytes[value] === QUOTE) {
            return this.promptBlock(value, depth + 2, 2, message, -1);
          }
          if (this.bytes[value] === OPEN_BRACKET) {
            return this.items(value, (block, index) => this.promptBlock(block, depth + 3, 2, message, index));
          }
        }
        return this.other(value, depth + 2);
      });
      if ((this.counts[2] as number) > firstBlock) {
        (this.sections[2]?.[firstBlock] as PromptBlock).role = role;
      }
      return end;
    });
  }

  /** Reads a block and keeps it, with its tokens. */
  private promptBlock(at: number, depth: number, section: number, first: number, second: number): number {
    const isString = this.bytes[at] === QUOTE;
    if (!isString && this.bytes[at] !== OPEN_BRACE) {
      return this.other(at, depth);
    }
    const { block: tokens } = this;
    const count = this.counts[section] as number;
    const blocks = this.sections[section] as PromptBlock[];
    // The one behind the last is written over and over.
    const index = Math.min(count, mostBlocks);
    const block = blocks[index] ?? new PromptBlock();
    blocks[index] = block;
    block.reset(section, first, second, at);
    block.isString = isString;
    tokens.fill(0);
    if (section === 2 && second <= 0) {
      tokens[tokenKind.message] = costOf(tokenKind.message);
    }
    this.countIn(tokens);
    let end: number;
    if (isString) {
      block.cacheable = this.bytes[at + 1] !== QUOTE;
      [this.a, this.b] = this.textKey;
      end = this.text(at);
      block.hashA = (this.a + this.textType[0]) | 0;
      block.hashB = (this.b + this.textType[1]) | 0;
    } else {
      end = this.blockObject(at, depth, block);
      block.hashA = this.a;
      block.hashB = this.b;
    }
    this.countIn();
    block.end = end;
    const range = toTokenRange(tokens);
    block.low = range.low;
    block.likely = range.likely;
    block.high = range.high;
    addTokens(this.sectionTokens[section] as Float64Array, tokens);
    if (count < mostBlocks) {
      this.counts[section] = count + 1;
    } else {
      this.overflow[section] = true;
    }
    return end;
  }
}

/** The whole number from 0 that JSON's [start, end) writes, in whatever way; NaN when it is none. */
function wholeNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9 || end - start > 15) {
      const text = Buffer.from(bytes.subarray(start, Math.min(end, start + 400))).toString('latin1');
      const other = /^[-\d]/.test(text) ? Number(text) : Number.NaN;
      return Number.isSafeInteger(other) && other >= 0 ? other : Number.NaN;
    }
    value = value * 10 + digit;
  }
  return value;
}
