import { decodeString, LF, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../scanning/jsonBytes';
import { BlockReader } from './blockReader';
import { markerKind, PromptBlock } from './promptBlock';
import { addTokens, costOf, tokenKind, tokenKinds, toTokenRange } from './tokenTable';
import { seedA, seedB } from './valueReader';
import { WordTable } from './wordTable';

const lineKeys = WordTable.of('custom_id', 'params');
const paramKeys = WordTable.of('model', 'messages', 'max_tokens', 'system', 'tools', 'cache_control', 'fallback_credit_token');
const messageKeys = WordTable.of('role', 'content');

/**
 * Reads the prompts of requests, one line at a time: the blocks of tools, system and messages, with content hashes and estimated tokens.
 * Accepts any line with a JSON object that has fields of a request or of message params, whatever else is wrong. Set `bytes` first. They
 * must be UTF-8 with a LF after each line.
 */
export class PromptReader extends BlockReader {
  /** Blocks of the line read last. */
  blocks: readonly PromptBlock[] = [];
  /** True if the request has `params`; false for bare message params. */
  isWhole = false;
  /** NaN if the field is missing or not a whole number. */
  maxTokens = Number.NaN;
  readonly tokens = new Float64Array(tokenKinds);
  /** `markerKind` of the top-level `cache_control`. */
  topMarker: number = markerKind.none;
  /** Index in `blocks` of the last block that can be marked, or -1. */
  lastCacheable = -1;

  private readonly toolsSection = new PromptSection(0);
  private readonly systemSection = new PromptSection(1);
  private readonly messagesSection = new PromptSection(2);
  private readonly sections = [this.toolsSection, this.systemSection, this.messagesSection];
  private readonly block = new Float64Array(tokenKinds);
  /** Span of the model's JSON string; -1 if there is none. */
  private modelStart = -1;
  private modelEnd = -1;
  private modelA = 0;
  private modelB = 0;
  private isRequest = false;
  /** Hashes of `type: text` and of the key `text` in a block. */
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

  /** Returns the model, or '' if it is missing or too long for a name. */
  get model(): string {
    const length = this.modelEnd - this.modelStart;
    return length > 2 && length < 1024 ? decodeString(this.bytes, this.modelStart, this.modelEnd) : '';
  }

  /**
   * Reads the line that starts at `from`. Returns the offset of its LF. Returns -1 for a blank line or one without a request, and the other
   * properties are then invalid.
   */
  read(from: number, line: number): number {
    this.line = line;
    this.lineStart = from;
    this.isWhole = false;
    this.clear();
    const { json } = this;
    const start = json.skipSpace(from);
    if (this.bytes[start] !== OPEN_BRACE) {
      return -1;
    }
    const close = this.json.walkMembers(start, (keyStart, keyEnd, at) => {
      const key = lineKeys.find(this.bytes, keyStart, keyEnd);
      if (key === undefined) {
        return this.isWhole ? this.uncounted(at, 2) : this.param(keyStart, keyEnd, at, 2);
      }
      if (key === 'params' || !this.isWhole) {
        this.clear();
      }
      this.isWhole = true;
      this.isRequest = true;
      if (key === 'params' && this.bytes[at] === OPEN_BRACE) {
        return this.json.walkMembers(at, (innerStart, innerEnd, innerAt) => this.param(innerStart, innerEnd, innerAt, 3));
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
    for (const section of this.sections) {
      section.clear();
    }
  }

  /** Joins the sections and computes the prefix hash and tokens of each block. */
  private finish(): void {
    const blocks: PromptBlock[] = [];
    this.blocks = blocks;
    this.lastCacheable = -1;
    this.opaque = 0;
    this.tokens.fill(0);
    let low = 0;
    let likely = 0;
    let high = 0;
    this.a = this.modelA ^ seedA;
    this.b = this.modelB ^ seedB;
    let isCut = false;
    for (const section of this.sections) {
      for (const block of isCut ? [] : section.blocks) {
        this.fold((section.index << 8) | block.role);
        this.fold(block.hashA);
        this.fold(block.hashB);
        block.prefixA = this.a;
        block.prefixB = this.b;
        block.low = low += block.low;
        block.likely = likely += block.likely;
        block.high = high += block.high;
        if (block.cacheable) {
          this.lastCacheable = blocks.length;
        }
        blocks.push(block);
      }
      this.opaque += section.opaque;
      addTokens(this.tokens, section.tokens);
      isCut ||= section.overflows;
    }
    if (isCut) {
      // The last recorded block is not the last block of the prompt.
      this.lastCacheable = -1;
    }
  }

  private param(keyStart: number, keyEnd: number, at: number, depth: number): number {
    const key = paramKeys.find(this.bytes, keyStart, keyEnd);
    const first = this.bytes[at];
    switch (key) {
      case 'model': {
        this.isRequest = true;
        const end = this.uncounted(at, depth);
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
        const end = this.uncounted(at, depth);
        this.maxTokens = end < 0 ? Number.NaN : wholeNumber(this.bytes, at, end);
        return end;
      }
      case 'cache_control': {
        const end = this.uncounted(at, depth);
        this.topMarker = this.markerAt(at, end);
        return end;
      }
      case 'fallback_credit_token':
        return this.secretIn(at, depth);
      case 'tools':
        this.toolsSection.clear();
        return first === OPEN_BRACKET ? this.tools(at, depth) : this.uncounted(at, depth);
      case 'system':
        this.systemSection.clear();
        return this.system(at, depth);
      case 'messages':
        this.isRequest = true;
        this.messagesSection.clear();
        return first === OPEN_BRACKET ? this.messages(at, depth) : this.uncounted(at, depth);
      default:
        return this.uncounted(at, depth);
    }
  }

  private tools(at: number, depth: number): number {
    return this.json.walkItems(at, (start, index) => {
      if (index === 0) {
        this.toolsSection.tokens[tokenKind.tools] = costOf(tokenKind.tools);
      }
      return this.promptBlock(start, depth + 1, this.toolsSection, index, -1);
    });
  }

  private system(at: number, depth: number): number {
    if (this.bytes[at] === OPEN_BRACKET) {
      return this.json.walkItems(at, (start, index) => this.promptBlock(start, depth + 1, this.systemSection, index, -1));
    }
    return this.bytes[at] === QUOTE ? this.promptBlock(at, depth, this.systemSection, -1, -1) : this.uncounted(at, depth);
  }

  private messages(at: number, depth: number): number {
    const section = this.messagesSection;
    return this.json.walkItems(at, (start, message) => {
      if (this.bytes[start] !== OPEN_BRACE) {
        return this.uncounted(start, depth + 1);
      }
      const firstBlock = section.blocks.length;
      let role = 1;
      const end = this.json.walkMembers(start, (keyStart, keyEnd, value) => {
        const key = messageKeys.find(this.bytes, keyStart, keyEnd);
        if (key === 'role') {
          const roleEnd = this.uncounted(value, depth + 2);
          role = this.bytes[value] === QUOTE ? (this.scan.hashA & 0xff) | 1 : 1;
          return roleEnd;
        }
        if (key === 'content') {
          section.blocks.length = firstBlock;
          if (this.bytes[value] === QUOTE) {
            return this.promptBlock(value, depth + 2, section, message, -1);
          }
          if (this.bytes[value] === OPEN_BRACKET) {
            return this.json.walkItems(value, (block, index) => this.promptBlock(block, depth + 3, section, message, index));
          }
        }
        return this.uncounted(value, depth + 2);
      });
      const block = section.blocks[firstBlock];
      if (block !== undefined) {
        block.role = role;
      }
      return end;
    });
  }

  private promptBlock(at: number, depth: number, section: PromptSection, first: number, second: number): number {
    const isString = this.bytes[at] === QUOTE;
    if (!isString && this.bytes[at] !== OPEN_BRACE) {
      return this.uncounted(at, depth);
    }
    const { block: tokens } = this;
    const block = new PromptBlock(section.index, first, second, at, isString);
    tokens.fill(0);
    if (section === this.messagesSection && second <= 0) {
      tokens[tokenKind.message] = costOf(tokenKind.message);
    }
    this.countIn(tokens);
    this.opaque = 0;
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
    section.keep(block, tokens, this.opaque);
    return end;
  }
}

/** Returns the whole number in the JSON value [start, end), in any notation; NaN if the value is anything else or negative. */
function wholeNumber(bytes: Uint8Array, start: number, end: number): number {
  const text = Buffer.from(bytes.subarray(start, Math.min(end, start + 400))).toString('latin1');
  const value = /^[-\d]/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) && value >= 0 ? value : Number.NaN;
}

/** Maximum number of recorded blocks per section. Further blocks only add tokens, no prefixes. */
const maxBlocks = 1024;

/** Blocks and tokens of one section (tools, system or messages) of a request. Reused for each request. */
class PromptSection {
  blocks: PromptBlock[] = [];
  /** True if there are more blocks than are recorded. */
  overflows = false;
  /** Number of blocks with tokens that can't be estimated from text. */
  opaque = 0;
  readonly tokens = new Float64Array(tokenKinds);

  /** Creates a section. `index` is its position in `promptSections`. */
  constructor(readonly index: number) {}

  /** Removes all blocks. If the key of the section is repeated, the last one wins. */
  clear(): void {
    this.blocks = [];
    this.opaque = 0;
    this.overflows = false;
    this.tokens.fill(0);
  }

  /** Records a block with its tokens and its number of opaque blocks. */
  keep(block: PromptBlock, tokens: Float64Array, opaque: number): void {
    this.opaque += opaque;
    const range = toTokenRange(tokens);
    block.low = range.low;
    block.likely = range.likely;
    block.high = range.high;
    addTokens(this.tokens, tokens);
    if (this.blocks.length < maxBlocks) {
      this.blocks.push(block);
    } else {
      this.overflows = true;
    }
  }
}
