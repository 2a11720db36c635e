import { PromptBlock } from './promptBlock';
import { addTokens, tokenKinds, toTokenRange } from './tokenTable';

/** Maximum number of recorded blocks per section. Further blocks only add tokens, no prefixes. */
const mostBlocks = 1024;

/** Blocks and tokens of one section (tools, system or messages) of a request. Reused for each request. */
export class PromptSection {
  /** Blocks of the request. Only the first `count` are valid. */
  readonly blocks: PromptBlock[] = [];
  count = 0;
  /** True if there are more blocks than are recorded. */
  overflows = false;
  /** True if the request has no such section. */
  isEmpty = true;
  /** Estimated tokens by kind. */
  readonly tokens = new Float64Array(tokenKinds);

  /** Creates a section. `place` is its index in `promptSections`. */
  constructor(readonly place: number) {}

  clear(): void {
    this.isEmpty = true;
    this.count = 0;
    this.overflows = false;
    this.tokens.fill(0);
  }

  /** Returns the block to read into. All blocks beyond the maximum share one object. */
  next(first: number, second: number, start: number, isString: boolean): PromptBlock {
    const index = Math.min(this.count, mostBlocks);
    const block = this.blocks[index] ?? new PromptBlock();
    this.blocks[index] = block;
    block.reset(this.place, first, second, start, isString);
    return block;
  }

  /** Records the block that `next` returned, with its tokens. */
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
