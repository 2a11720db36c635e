import { toRecord } from '../results/resultWords';

/**
 * Returns the prompt of a request as readable text: its only message, or all messages with their roles. Blocks that are not text appear as
 * their type in brackets.
 */
export function promptText(params: Readonly<Record<string, unknown>>): string {
  const system = contentText(params.system);
  const messages = (Array.isArray(params.messages) ? params.messages : []).map(toRecord);
  const [only] = messages;
  if (messages.length === 1 && system === '' && only?.role === 'user') {
    return contentText(only.content);
  }
  const turns = messages.map(({ role, content }) => `${typeof role === 'string' ? role : '?'}: ${contentText(content)}`);
  return [...(system === '' ? [] : [`system: ${system}`]), ...turns].join('\n\n');
}

function contentText(content: unknown): string {
  if (typeof content === 'string') {
    return content;
  }
  return (Array.isArray(content) ? content : []).map(item => blockText(toRecord(item))).join('\n');
}

function blockText(block: Readonly<Record<string, unknown>>): string {
  if (typeof block.text === 'string') {
    return block.text;
  }
  const nested = block.type === 'tool_result' ? contentText(block.content) : '';
  const kind = `[${typeof block.type === 'string' ? block.type : '?'}]`;
  return nested === '' ? kind : `${kind} ${nested}`;
}
