import { toRecord } from '../../../jsonl/results/resultWords';
import { writeJson } from '../../../shared/exactJson';
import { readMaskedResult } from '../../../shared/maskedJson';
import { textOf } from '../../../shared/session/eventFields';

/** Parts of one line of a joined results file, with secrets masked. */
export interface AnswerParts {
  /** Text blocks of the answer in order, with other blocks as JSON, or the message of an error. Empty if there is no text. */
  readonly blocks: readonly AnswerBlock[];
  readonly model: string | undefined;
  readonly requestId: string | undefined;
  readonly explanation: string | undefined;
}

export interface AnswerBlock {
  readonly kind: 'text' | 'thinking' | 'json';
  readonly text: string;
}

/** Parses a line of a joined results file. Parts that don't match the contract are omitted or shown as JSON. */
export function toAnswerParts(line: string): AnswerParts {
  const result = readMaskedResult(line);
  if (result.type === 'succeeded') {
    const { content, model, stop_details: details } = toRecord(result.message);
    const blocks = (Array.isArray(content) ? content : []).map(block => toBlock(toRecord(block)));
    return { blocks, model: textOf(model), requestId: undefined, explanation: textOf(toRecord(details).explanation) };
  }
  const outer = toRecord(result.error);
  const message = textOf(toRecord(outer.error).message) ?? textOf(outer.message);
  const blocks: AnswerBlock[] =
    message !== undefined ? [{ kind: 'text', text: message }] : result.error === undefined ? [] : [toJsonBlock(result.error)];
  return { blocks, model: undefined, requestId: textOf(outer.request_id), explanation: undefined };
}

/** Returns the whole text of an answer. */
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
