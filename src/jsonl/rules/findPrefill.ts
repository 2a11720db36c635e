import { asArray, asString, type Finding, fieldOf, found, isSet, type Subject } from './finding';
import { rejectsPrefill } from './modelNames';

/**
 * `prefill`: a last message of the assistant, which the answer would continue, if the model or another field forbids it or its text ends
 * with white space. A fallback credit has rules of its own (contract, fallback credit 3).
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
    const text = 'Expected a last message of the user, because {0} continues no answer. Remove this message, or choose another model.';
    yield found('prefill', [...path, 'role'], text, [model]);
    return;
  }
  if (isThinking(params.thinking)) {
    const text = 'Expected a last message of the user, because the request has "thinking". Remove one of them.';
    yield found('prefill', [...path, 'role'], text);
  }
  if (isSet(params.output_format) || isSet(fieldOf(params.output_config, 'format'))) {
    const text = 'Expected a last message of the user, because the answer follows a schema. Remove this message, or the schema.';
    yield found('prefill', [...path, 'role'], text);
  }
  const content = fieldOf(last, 'content');
  const blocks = asArray(content);
  const words = asString(content) ?? (fieldOf(blocks.at(-1), 'type') === 'text' ? asString(fieldOf(blocks.at(-1), 'text')) : undefined);
  if (words !== undefined && isSpace(words.charCodeAt(words.length - 1))) {
    const at = typeof content === 'string' ? [...path, 'content'] : [...path, 'content', blocks.length - 1, 'text'];
    yield found('prefill', at, 'Expected no white space at the end of the text that the answer continues. Remove it.');
  }
}

/** `forced-tool-thinking`: a forced tool call together with thinking. */
export function* findForcedTool({ params, paramsPath }: Subject): Iterable<Finding> {
  const choice = fieldOf(params.tool_choice, 'type');
  if ((choice === 'any' || choice === 'tool') && isThinking(params.thinking)) {
    const text = 'Expected "auto" or "none" for "tool_choice", because the request has "thinking". Change it, or remove "thinking".';
    yield found('forced-tool-thinking', [...paramsPath, 'tool_choice'], text);
  }
}

/** `emptied-thinking`: signed thinking without its text, unless the request asks for answers without it. */
export function* findEmptiedThinking({ params, paramsPath }: Subject): Iterable<Finding> {
  if (fieldOf(params.thinking, 'display') === 'omitted') {
    return;
  }
  for (const [index, message] of asArray(params.messages).entries()) {
    for (const [place, block] of asArray(fieldOf(message, 'content')).entries()) {
      if (fieldOf(block, 'type') === 'thinking' && fieldOf(block, 'thinking') === '') {
        const path = [...paramsPath, 'messages', index, 'content', place, 'thinking'];
        const text =
          'Expected the text that the signature of this block covers, if the answer had one. Write it back, or remove the block.';
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
