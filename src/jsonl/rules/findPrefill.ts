import { asArray, asString, type Finding, fieldOf, found, isSet, type Subject } from './finding';
import { rejectsPrefill } from './modelNames';

/**
 * Finds `prefill`: a final assistant message that the answer would continue, if the model or another field forbids it or its text ends with
 * white space. Fallback credits have their own rules (contract, Fallback credit 3).
 */
export function* findPrefill({ params, paramsPath, options }: Subject): Iterable<Finding> {
  const messages = asArray(params.messages);
  const last = messages.at(-1);
  if (fieldOf(last, 'role') !== 'assistant' || isSet(params.fallback_credit_token)) {
    return;
  }
  const path = [...paramsPath, 'messages', messages.length - 1];
  const model = asString(params.model);
  if (model !== undefined && rejectsPrefill(model, options)) {
    const text = "{0} can't continue an answer. End with a user message.";
    yield found('prefill', [...path, 'role'], text, [model]);
    return;
  }
  if (isThinking(params.thinking)) {
    const text = 'With "thinking", the last message must be the user\'s.';
    yield found('prefill', [...path, 'role'], text);
  }
  if (isSet(params.output_format) || isSet(fieldOf(params.output_config, 'format'))) {
    const text = "With an output schema, the last message must be the user's.";
    yield found('prefill', [...path, 'role'], text);
  }
  const content = fieldOf(last, 'content');
  const blocks = asArray(content);
  const words = asString(content) ?? (fieldOf(blocks.at(-1), 'type') === 'text' ? asString(fieldOf(blocks.at(-1), 'text')) : undefined);
  if (words !== undefined && isSpace(words.charCodeAt(words.length - 1))) {
    const at = typeof content === 'string' ? [...path, 'content'] : [...path, 'content', blocks.length - 1, 'text'];
    yield found('prefill', at, 'Remove the white space at the end of the text to continue.');
  }
}

/** Finds `forced-tool-thinking`: a forced tool call together with thinking. */
export function* findForcedTool({ params, paramsPath }: Subject): Iterable<Finding> {
  const choice = fieldOf(params.tool_choice, 'type');
  if ((choice === 'any' || choice === 'tool') && isThinking(params.thinking)) {
    const text = 'With "thinking", "tool_choice" must be "auto" or "none".';
    yield found('forced-tool-thinking', [...paramsPath, 'tool_choice'], text);
  }
}

/** Finds `emptied-thinking`: signed thinking without its text, unless the request omits thinking from answers. */
export function* findEmptiedThinking({ params, paramsPath }: Subject): Iterable<Finding> {
  if (fieldOf(params.thinking, 'display') === 'omitted') {
    return;
  }
  for (const [index, message] of asArray(params.messages).entries()) {
    for (const [place, block] of asArray(fieldOf(message, 'content')).entries()) {
      if (fieldOf(block, 'type') === 'thinking' && fieldOf(block, 'thinking') === '') {
        const path = [...paramsPath, 'messages', index, 'content', place, 'thinking'];
        const text = 'This signed thinking block has lost its text.';
        yield found('emptied-thinking', path, text);
      }
    }
  }
}

/** Returns whether thinking has a fixed budget. Adaptive thinking can be skipped. */
function isThinking(thinking: unknown): boolean {
  return fieldOf(thinking, 'type') === 'enabled' && typeof fieldOf(thinking, 'budget_tokens') === 'number';
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
