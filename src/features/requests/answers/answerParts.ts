import { writeJson } from '../../../shared/exactJson';
import { readMaskedResult } from '../../../shared/results/maskedResult';

/** What one line of a joined results file says. Secrets of the contract are masked. */
export interface AnswerParts {
  /** The text of the answer's blocks, others as JSON, in order; of an error what it says. Empty when there is nothing to read. */
  readonly blocks: readonly AnswerBlock[];
  readonly model: string | undefined;
  /** Of an error: the id under which the service knows of it. */
  readonly requestId: string | undefined;
  /** Of a refusal: why, in the service's words. */
  readonly explanation: string | undefined;
}

export interface AnswerBlock {
  readonly kind: 'text' | 'thinking' | 'json';
  readonly text: string;
}

/** Takes a line of a joined results file apart; whatever is of another shape than the contract's is left out or shown as JSON. */
export function toAnswerParts(line: string): AnswerParts {
  const result = readMaskedResult(line);
  if (result.type === 'succeeded') {
    const { content, model, stop_details: details } = toRecord(result.message);
    const blocks = (Array.isArray(content) ? content : []).map(block => toBlock(toRecord(block)));
    return { blocks, model: toText(model), requestId: undefined, explanation: toText(toRecord(details).explanation) };
  }
  const outer = toRecord(result.error);
  const message = toText(toRecord(outer.error).message) ?? toText(outer.message);
  const blocks: AnswerBlock[] =
    message !== undefined ? [{ kind: 'text', text: message }] : result.error === undefined ? [] : [toJsonBlock(result.error)];
  return { blocks, model: undefined, requestId: toText(outer.request_id), explanation: undefined };
}

/** Every word of an answer. */
export function toPlainAnswer({ blocks }: AnswerParts): string {
  return blocks.map(({ text }) => text).join('\n\n');
}

function toBlock(block: Readonly<Record<string, unknown>>): AnswerBlock {
  if (block.type === 'text' && typeof block.text === 'string') {
    return { kind: 'text', text: block.text };
  }
  return block.type === 'thinking' && typeof block.thinking === 'string' ? { kind: 'thinking', text: block.thinking } : toJsonBlock(block);
}

function toJsonBlock(value: unknown): AnswerBlock {
  return { kind: 'json', text: writeJson(value, '  ') };
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
