import { PromptBlock } from './promptBlock';
import { addTokens, tokenKinds, toTokenRange } from './tokenTable';

/** Blocks of one section that are told apart; longer prompts have their tokens counted, but no prefixes beyond. */
const mostBlocks = 1024;

/** Tools, system prompt or messages of one request: the blocks and their tokens. Its memory serves one request after the other. */
export class PromptSection {
  /** The first `count` of them are the request's. */
  readonly blocks: PromptBlock[] = [];
  count = 0;
  /** Whether there are more blocks than are told apart. */
  overflows = false;
  /** Whether the request has no such field. */
  isEmpty = true;
  /** Likely tokens by kind. */
  readonly tokens = new Float64Array(tokenKinds);

  /** `place` is the index in `promptSections`. */
  constructor(readonly place: number) {}

  clear(): void {
    this.isEmpty = true;
    this.count = 0;
    this.overflows = false;
    this.tokens.fill(0);
  }

  /** The block to read into. The one behind the last that is told apart is written over and over. */
  next(first: number, second: number, start: number, isString: boolean): PromptBlock {
    const index = Math.min(this.count, mostBlocks);
    const block = this.blocks[index] ?? new PromptBlock();
    this.blocks[index] = block;
    block.reset(this.place, first, second, start, isString);
    return block;
  }

  /** Keeps the block that `next` gave, which has these tokens. */
  keep(block: PromptBlock, tokens: Float64Array): void {
    const range = toTokenRange(tokens);
    block.low = range.low;
    block.likely = range.likely;
    block.high = range.high;
    addTokens(this.tokens, tokens);
    if (this.count < mostBlocks) {
      this.count++;
    } else {
      this.overflows = true;
    }
  }
}
