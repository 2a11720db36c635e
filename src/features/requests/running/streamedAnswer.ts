import type { MessageStreamEvent } from '../../../client/events/streamedEvents';
import { toRecord } from '../../../jsonl/results/resultWords';

/** Content block of an answer with the data received so far. `json` is the partial JSON of a tool's input. */
export interface AnswerBlock {
  readonly type: string;
  /** Block of the `content_block_start` event. */
  readonly start: Readonly<Record<string, unknown>>;
  /** Text or thinking. */
  readonly text: string;
  readonly json: string;
}

type MutableBlock = { -readonly [K in keyof AnswerBlock]: AnswerBlock[K] };

/**
 * Accumulates the events of one streamed message. Keeps unknown events, block types and delta types. Later usage numbers in `message_start`
 * and `message_delta` replace earlier numbers.
 */
export class StreamedAnswer {
  private readonly byIndex = new Map<number, MutableBlock>();
  readonly unknownEvents: MessageStreamEvent[] = [];
  usage: Readonly<Record<string, unknown>> = {};
  model: string | undefined;
  stopReason: string | undefined;
  /** `stop_details` of the message, which explain a refusal. */
  stopDetails: unknown;
  /** Error that the service reports inside the stream. */
  error: { readonly type: string; readonly message: string } | undefined;
  /** True once `message_stop` has arrived. Without it, the answer is incomplete. */
  isWhole = false;

  get blocks(): readonly AnswerBlock[] {
    return [...this.byIndex].sort(([a], [b]) => a - b).map(([, block]) => block);
  }

  apply(event: MessageStreamEvent): void {
    switch (event.type) {
      case 'message_start':
        this.readMessage(toRecord(event.message));
        return;
      case 'content_block_start':
        this.startBlock(toIndex(event.index), toRecord(event.content_block));
        return;
      case 'content_block_delta':
        this.extendBlock(toIndex(event.index), toRecord(event.delta), event);
        return;
      case 'message_delta':
        this.readMessage({ ...toRecord(event.delta), usage: event.usage });
        return;
      case 'message_stop':
        this.isWhole = true;
        return;
      case 'error': {
        const error = toRecord(event.error);
        this.error = { type: toText(error.type) ?? 'error', message: toText(error.message) ?? '' };
        return;
      }
      case 'content_block_stop':
      case 'ping':
        return;
      default:
        this.unknownEvents.push(event);
    }
  }

  private readMessage(message: Readonly<Record<string, unknown>>): void {
    this.model = toText(message.model) ?? this.model;
    this.stopReason = toText(message.stop_reason) ?? this.stopReason;
    this.stopDetails = message.stop_details ?? this.stopDetails;
    const known = Object.entries(toRecord(message.usage)).filter(([, value]) => value !== null && value !== undefined);
    this.usage = { ...this.usage, ...Object.fromEntries(known) };
    for (const [index, block] of (Array.isArray(message.content) ? message.content : []).entries()) {
      this.startBlock(index, toRecord(block));
    }
  }

  private startBlock(index: number, start: Readonly<Record<string, unknown>>): void {
    this.byIndex.set(index, {
      type: toText(start.type) ?? 'unknown',
      start,
      text: toText(start.text) ?? toText(start.thinking) ?? '',
      json: '',
    });
  }

  private extendBlock(index: number, delta: Readonly<Record<string, unknown>>, event: MessageStreamEvent): void {
    const block = this.byIndex.get(index);
    if (block === undefined || !knownDeltas.has(delta.type)) {
      this.unknownEvents.push(event);
      return;
    }
    block.text += toText(delta.text) ?? toText(delta.thinking) ?? '';
    block.json += toText(delta.partial_json) ?? '';
  }
}

const knownDeltas: ReadonlySet<unknown> = new Set([
  'text_delta',
  'thinking_delta',
  'input_json_delta',
  'signature_delta',
  'citations_delta',
]);

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function toIndex(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
