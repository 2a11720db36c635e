import { isRecord } from '../../shared/isRecord';
import type { JsonObject } from '../rules/finding';
import { CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET } from '../scanning/jsonBytes';
import { markerKind, messagesSection, PromptBlock, promptSections, systemSection, toolsSection } from './promptBlock';
import type { SensitiveFindings } from './sensitiveFindings';
import { addTokens, costOf, tokenKind, tokenKinds, toTokenRange } from './tokenTable';
import { seedA, seedB, TooDeep, ValueReader } from './valueReader';

/** Fields of a block that are not in the prompt. All other fields are text for the model. */
const metadata: ReadonlySet<string> = new Set([
  ...['allowed_callers', 'caller', 'citations', 'defer_loading', 'eager_input_streaming', 'file_id', 'id', 'is_error', 'media_type'],
  ...['strict', 'tool_use_id', 'type'],
]);
/** Fields that are neither in the prompt nor worth searching. */
const data: ReadonlySet<string> = new Set(['data', 'encrypted_content', 'encrypted_index', 'encrypted_stdout', 'signature']);
/** Fields with JSON whose keys are text for the model too. */
const schemas: ReadonlySet<string> = new Set(['input', 'input_examples', 'input_schema']);
const opaqueTypes: ReadonlySet<unknown> = new Set(['redacted_thinking', 'container_upload', 'mcp_toolset']);
const uncacheableTypes: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'fallback']);

/** Maximum number of recorded blocks per section. Further blocks only add tokens, no prefixes. */
const maxBlocks = 1024;

/** Reads the prompt of a line. Returns `undefined` only if the line is neither a request nor message params. Ignores all other errors. */
export function readPrompt(text: string, line: number, findings?: SensitiveFindings): PromptReader | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const has = (key: string) => isRecord(value) && Object.hasOwn(value, key);
  const isWhole = has('custom_id') || has('params');
  if (!isRecord(value) || !(isWhole || has('model') || has('messages') || has('max_tokens'))) {
    return undefined;
  }
  try {
    return new PromptReader(text, line, value, isWhole, findings);
  } catch (error) {
    if (error instanceof TooDeep) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Prompt of a request: the blocks of tools, system and messages, with content hashes and estimated tokens. Hashes include the order of
 * fields, except for the fields of a block itself.
 */
export class PromptReader extends ValueReader {
  readonly blocks: PromptBlock[] = [];
  /** Empty if the model is missing or its name is too long. */
  model = '';
  /** NaN if the field is missing or not a whole number. */
  maxTokens = Number.NaN;
  readonly tokens = new Float64Array(tokenKinds);
  markers = 0;
  /** `markerKind` of the top-level `cache_control`. */
  topMarker: number = markerKind.none;
  /** Number of blocks with tokens that can't be estimated from text. */
  opaque = 0;
  /** Index in `blocks` of the last block that can be marked, or -1. */
  lastCacheable = -1;

  private readonly blockTokens = new Float64Array(tokenKinds);
  /** Hash and tokens of the prompt so far, without the blocks that are not recorded. */
  private prefix = { a: seedA, b: seedB, low: 0, likely: 0, high: 0 };
  /** Index of the first block of the current section, and whether a section had too many blocks. */
  private sectionStart = 0;
  private isCut = false;

  /** Reads the prompt of a line. `isWhole` is true if the request has `params`, false for bare message params. */
  constructor(
    text: string,
    line: number,
    value: JsonObject,
    readonly isWhole: boolean,
    findings: SensitiveFindings | undefined,
  ) {
    super(text, line, findings);
    this.request(value);
  }

  private request(value: JsonObject): void {
    if (!this.isWhole) {
      this.params(value);
      return;
    }
    this.eachMember(value, (key, inner) => {
      if (key === 'params' && isRecord(inner)) {
        this.params(inner);
      } else {
        this.uncounted(inner, key !== 'params' && key !== 'custom_id');
      }
    });
  }

  private params(params: JsonObject): void {
    const sections: readonly string[] = promptSections;
    this.eachMember(params, (key, value) => {
      if (!sections.includes(key)) {
        this.setting(key, value);
      }
    });
    // The service joins these fields in this order, whatever their order in the line.
    this.eachMember({ tools: params.tools, system: params.system, messages: params.messages }, (name, value) =>
      this.section(sections.indexOf(name), value),
    );
    if (this.isCut) {
      // The last recorded block is not the last block of the prompt.
      this.lastCacheable = -1;
    }
  }

  private setting(key: string, value: unknown): void {
    if (key === 'fallback_credit_token') {
      this.secret(value);
      return;
    }
    this.uncounted(value);
    if (key === 'model' && typeof value === 'string') {
      this.model = value.length < 1024 ? value : '';
      this.prefix.a = this.scan.hashA ^ seedA;
      this.prefix.b = this.scan.hashB ^ seedB;
    } else if (key === 'max_tokens' && Number.isSafeInteger(value) && (value as number) >= 0) {
      this.maxTokens = value as number;
    } else if (key === 'cache_control') {
      this.topMarker = this.markerOf(value);
    }
  }

  private section(section: number, value: unknown): void {
    this.sectionStart = this.blocks.length;
    if (typeof value === 'string' && section === systemSection) {
      this.promptBlock(value, new PromptBlock(section, -1, -1, true));
    } else if (!Array.isArray(value)) {
      this.uncounted(value);
    } else if (section === messagesSection) {
      this.eachItem(value, (message, index) => this.message(message, index));
    } else {
      if (section === toolsSection && value.length > 0) {
        this.tokens[tokenKind.tools] = costOf(tokenKind.tools);
      }
      this.eachItem(value, (item, index) => this.promptBlock(item, new PromptBlock(section, index, -1, typeof item === 'string')));
    }
  }

  private message(message: unknown, first: number): void {
    if (!isRecord(message)) {
      this.uncounted(message);
      return;
    }
    let role = 1;
    if (typeof message.role === 'string') {
      this.hash(message.role);
      role = (this.scan.hashA & 0xff) | 1;
    }
    const block = (item: unknown, second: number) => {
      const count = this.blocks.length;
      this.promptBlock(item, new PromptBlock(messagesSection, first, second, typeof item === 'string'), role);
      role = this.blocks.length > count ? 0 : role;
    };
    this.eachMember(message, (key, value) => {
      if (key === 'content' && typeof value === 'string') {
        block(value, -1);
      } else if (key === 'content' && Array.isArray(value)) {
        this.eachItem(value, block);
      } else {
        this.uncounted(value);
      }
    });
  }

  /** Reads a tool or a content block, and records a string or an object. A block with a `role` starts a message. */
  private promptBlock(value: unknown, block: PromptBlock, role = 0): void {
    if (!block.isString && !isRecord(value)) {
      this.uncounted(value);
      return;
    }
    const { blockTokens } = this;
    blockTokens.fill(0);
    if (block.section === messagesSection && block.second <= 0) {
      blockTokens[tokenKind.message] = costOf(tokenKind.message);
    }
    this.scan.tokens = blockTokens;
    if (isRecord(value)) {
      this.blockObject(value, block);
      block.hashA = this.a;
      block.hashB = this.b;
    } else {
      block.cacheable = value !== '';
      this.startMember('type');
      this.uncounted('text');
      const { a, b } = this;
      this.startMember('text');
      this.value(value, false);
      block.hashA = (this.a + a) | 0;
      block.hashB = (this.b + b) | 0;
    }
    this.scan.tokens = this.uncountedTokens;
    addTokens(this.tokens, blockTokens);
    this.isCut ||= this.blocks.length === this.sectionStart + maxBlocks;
    if (!this.isCut) {
      this.record(block, role);
    }
  }

  private record(block: PromptBlock, role: number): void {
    const { prefix } = this;
    this.a = prefix.a;
    this.b = prefix.b;
    this.fold((block.section << 8) | role);
    this.fold(block.hashA);
    this.fold(block.hashB);
    const { low, likely, high } = toTokenRange(this.blockTokens);
    this.prefix = { a: this.a, b: this.b, low: prefix.low + low, likely: prefix.likely + likely, high: prefix.high + high };
    block.prefixA = this.a;
    block.prefixB = this.b;
    block.low = this.prefix.low;
    block.likely = this.prefix.likely;
    block.high = this.prefix.high;
    if (block.cacheable) {
      this.lastCacheable = this.blocks.length;
    }
    this.blocks.push(block);
  }

  /**
   * Reads the fields of a tool or content block. The order of these fields doesn't affect the hash of the block. `block` is `undefined` for
   * nested blocks.
   */
  private blockObject(object: JsonObject, block: PromptBlock | undefined): void {
    const { type } = object;
    const isTool = block?.section === toolsSection;
    const isDeferred = object.defer_loading === true;
    let sumA = 0;
    let sumB = 0;
    this.eachMember(object, (key, value) => {
      if (key === 'cache_control') {
        this.uncounted(value);
        const marker = this.markerOf(value);
        if (block !== undefined) {
          block.marker = marker;
        }
        return;
      }
      this.startMember(key);
      this.blockField(key, value, isTool);
      sumA = (sumA + this.a) | 0;
      sumB = (sumB + this.b) | 0;
    });
    this.a = sumA;
    this.b = sumB;
    this.opaque += opaqueTypes.has(type) ? 1 : 0;
    if (isTool && isDeferred) {
      // A deferred tool is not in the prompt.
      this.scan.tokens.fill(0);
    } else if (isTool && type !== 'mcp_toolset') {
      const kind = typeof type === 'string' && type !== 'custom' ? tokenKind.serviceTool : tokenKind.tool;
      this.count(kind, costOf(kind));
    }
    if (block !== undefined && (isDeferred || uncacheableTypes.has(type) || object.text === '')) {
      block.cacheable = false;
    }
  }

  private blockField(key: string, value: unknown, isTool: boolean): void {
    if (key === 'source' && isRecord(value) && !isTool) {
      this.source(value);
    } else if (key === 'content') {
      this.content(value);
    } else if (metadata.has(key) || data.has(key)) {
      this.uncounted(value, metadata.has(key));
    } else {
      this.value(value, schemas.has(key));
    }
  }

  private content(value: unknown): void {
    if (Array.isArray(value)) {
      this.fold(OPEN_BRACKET);
      this.eachItem(value, item => this.nested(item));
      this.fold(CLOSE_BRACKET);
    } else {
      this.nested(value);
    }
  }

  private nested(value: unknown): void {
    if (!isRecord(value)) {
      this.value(value, false);
      return;
    }
    const { a, b } = this;
    this.blockObject(value, undefined);
    const { a: nestedA, b: nestedB } = this;
    this.a = a;
    this.b = b;
    this.fold(nestedA);
    this.fold(nestedB);
  }

  /** Reads `source` of an image or document. Counts and searches only its text. */
  private source(source: JsonObject): void {
    const { type } = source;
    this.opaque += type === 'text' || type === 'content' ? 0 : 1;
    this.fold(OPEN_BRACE);
    this.eachMember(source, (key, value) => {
      this.foldKey(key);
      if (key === 'content') {
        this.content(value);
      } else if (key === 'data' && type === 'text') {
        this.value(value, false);
      } else {
        this.uncounted(value, key !== 'data');
      }
    });
  }

  private markerOf(value: unknown): number {
    if (value === null || typeof value === 'boolean') {
      return markerKind.none;
    }
    this.markers++;
    return isRecord(value) && value.ttl === '1h' ? markerKind.oneHour : markerKind.fiveMinutes;
  }
}
