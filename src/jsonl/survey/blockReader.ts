import { CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../scanning/jsonBytes';
import { maxDepth } from '../scanning/jsonText';
import { markerKind, type PromptBlock } from './promptBlock';
import { costOf, tokenKind } from './tokenTable';
import { ValueReader } from './valueReader';
import { WordTable } from './wordTable';

/** Fields of a block, grouped by how they are read. All others are text for the model. */
const fieldKinds = {
  /** Each has its own reader. */
  own: ['cache_control', 'defer_loading', 'source', 'text', 'type'],
  /** Not in the prompt. */
  metadata: [
    'allowed_callers',
    'caller',
    'citations',
    'eager_input_streaming',
    'file_id',
    'id',
    'is_error',
    'media_type',
    'strict',
    'tool_use_id',
  ],
  /** Not in the prompt, and not worth searching. */
  data: ['data', 'encrypted_content', 'encrypted_index', 'encrypted_stdout', 'signature'],
  /** Field names are text for the model too. */
  json: ['input', 'input_examples', 'input_schema'],
  content: ['content'],
} as const;
type FieldKind = keyof typeof fieldKinds;
const blockFields = new WordTable<{ readonly kind: FieldKind; readonly key: string }>(
  Object.entries(fieldKinds).flatMap(([kind, keys]) => keys.map(key => [key, { kind: kind as FieldKind, key }] as const)),
);
const blockTypes = WordTable.of('thinking', 'redacted_thinking', 'fallback', 'container_upload', 'mcp_toolset', 'custom');
const sourceKeys = WordTable.of('data', 'content');
const sourceTypes = WordTable.of('text', 'content');

/** Reads tools and content blocks: the text for the model, and the cache markers. */
export class BlockReader extends ValueReader {
  markers = 0;
  /** Number of blocks with tokens that can't be estimated from text. */
  opaque = 0;

  /**
   * Reads the fields of a tool or content block. The order of these fields doesn't affect the hash of the block. `block` is `undefined` for
   * nested blocks.
   */
  protected blockObject(at: number, depth: number, block: PromptBlock | undefined): number {
    if (depth > maxDepth) {
      return -1;
    }
    const { scan } = this;
    const isTool = block?.section === 0;
    const counted = scan.tokens;
    let sumA = 0;
    let sumB = 0;
    let type: string | undefined;
    let deferred = false;
    const end = this.json.walkMembers(at, (keyStart, keyEnd, value) => {
      const field = blockFields.find(this.bytes, keyStart, keyEnd);
      const key = field?.key;
      const first = this.bytes[value];
      if (key === 'cache_control') {
        const markerEnd = this.uncounted(value, depth + 1);
        const marker = this.markerAt(value, markerEnd);
        if (block !== undefined) {
          block.marker = marker;
          block.markerStart = value;
          block.markerEnd = markerEnd;
        }
        return markerEnd;
      }
      this.startMember(keyStart);
      let valueEnd: number;
      switch (key) {
        case 'type':
          valueEnd = this.uncounted(value, depth + 1);
          type = first === QUOTE && valueEnd > 0 ? (blockTypes.find(this.bytes, value, valueEnd) ?? '') : undefined;
          break;
        case 'defer_loading':
          deferred = first === 0x74;
          valueEnd = this.uncounted(value, depth + 1);
          break;
        case 'source':
          valueEnd = first === OPEN_BRACE && !isTool ? this.source(value, depth + 1) : this.value(value, depth + 1, false);
          break;
        case 'text':
          valueEnd = this.value(value, depth + 1, false);
          if (block !== undefined && valueEnd === value + 2) {
            block.cacheable = false;
          }
          break;
        default:
          valueEnd = this.plainField(field?.kind, value, depth + 1);
      }
      sumA = (sumA + this.a) | 0;
      sumB = (sumB + this.b) | 0;
      return valueEnd;
    });
    this.a = sumA;
    this.b = sumB;
    if (type === 'redacted_thinking' || type === 'container_upload' || type === 'mcp_toolset') {
      this.opaque++;
    }
    if (isTool) {
      countTool(counted, type, deferred);
    }
    if (block !== undefined && (deferred || type === 'thinking' || type === 'redacted_thinking' || type === 'fallback')) {
      block.cacheable = false;
    }
    return end;
  }

  /** Reads a field of a block that has no effect on how its other fields are read. */
  private plainField(kind: FieldKind | undefined, at: number, depth: number): number {
    switch (kind) {
      case 'metadata':
        return this.uncounted(at, depth);
      case 'data':
        return this.uncounted(at, depth, false);
      case 'content':
        return this.content(at, depth);
      default:
        return this.value(at, depth, kind === 'json');
    }
  }

  private content(at: number, depth: number): number {
    const nested = (start: number, innerDepth: number): number => {
      if (this.bytes[start] !== OPEN_BRACE) {
        return this.value(start, innerDepth, false);
      }
      const { a, b } = this;
      const end = this.blockObject(start, innerDepth, undefined);
      const { a: nestedA, b: nestedB } = this;
      this.a = a;
      this.b = b;
      this.fold(nestedA);
      this.fold(nestedB);
      return end;
    };
    if (this.bytes[at] !== OPEN_BRACKET) {
      return nested(at, depth);
    }
    if (depth > maxDepth) {
      return -1;
    }
    this.fold(OPEN_BRACKET);
    const end = this.json.walkItems(at, start => nested(start, depth + 1));
    this.fold(CLOSE_BRACKET);
    return end;
  }

  /** Reads `source` of an image or document. Counts and searches only its text. */
  private source(at: number, depth: number): number {
    if (depth > maxDepth) {
      return -1;
    }
    const { json, bytes } = this;
    const typeStart = json.find(at, 'type');
    const type = bytes[typeStart] === QUOTE ? sourceTypes.find(bytes, typeStart, json.skipString(typeStart)) : undefined;
    this.opaque += type === undefined ? 1 : 0;
    this.fold(OPEN_BRACE);
    return json.walkMembers(at, (keyStart, keyEnd, value) => {
      this.foldKey(keyStart);
      switch (sourceKeys.find(bytes, keyStart, keyEnd)) {
        case 'content':
          return this.content(value, depth + 1);
        case 'data':
          return type === 'text' ? this.value(value, depth + 1, false) : this.uncounted(value, depth + 1, false);
        default:
          return this.uncounted(value, depth + 1);
      }
    });
  }

  protected markerAt(start: number, end: number): number {
    if (end < 0 || isWord(this.bytes[start])) {
      return markerKind.none;
    }
    this.markers++;
    const text = Buffer.from(this.bytes.subarray(start, Math.min(end, start + 200))).toString('latin1');
    return /"ttl"\s*:\s*"1h"/.test(text) ? markerKind.oneHour : markerKind.fiveMinutes;
  }
}

/** Adds the overhead of a tool by its type. Clears the tokens of a deferred tool, which is not in the prompt. */
function countTool(tokens: Float64Array, type: string | undefined, deferred: boolean): void {
  if (deferred) {
    tokens.fill(0);
  } else if (type !== 'mcp_toolset') {
    const kind = type !== undefined && type !== 'custom' ? tokenKind.serviceTool : tokenKind.tool;
    tokens[kind] = (tokens[kind] as number) + costOf(kind);
  }
}

function isWord(byte: number | undefined): boolean {
  return byte === 0x6e || byte === 0x74 || byte === 0x66;
}
