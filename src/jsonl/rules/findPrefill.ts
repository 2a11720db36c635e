import { isSpace } from '../scanning/jsonMembers';
import { asArray, asObject, asString, type Finding, fieldOf, found, isSet, type Path, type Subject } from './finding';
import { rejectsPrefill } from './modelNames';

/**
 * Finds `prefill`: a final assistant message that the answer would continue. Reported if the model or another field forbids a prefill, or
 * if the text ends with white space. Fallback credits have their own rules (contract, Fallback credit 3).
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
    yield found('prefill', [...path, 'role'], "{0} can't continue an answer. End with a user message.", [model]);
    return;
  }
  if (isThinking(params.thinking)) {
    yield found('prefill', [...path, 'role'], 'With "thinking", the last message must be the user\'s.');
  }
  if (isSet(params.output_format) || isSet(fieldOf(params.output_config, 'format'))) {
    yield found('prefill', [...path, 'role'], "With an output schema, the last message must be the user's.");
  }
  const content = fieldOf(last, 'content');
  const blocks = asArray(content);
  const words = asString(content) ?? (fieldOf(blocks.at(-1), 'type') === 'text' ? asString(fieldOf(blocks.at(-1), 'text')) : undefined);
  if (words !== undefined && isSpace(words.charCodeAt(words.length - 1))) {
    const at = typeof content === 'string' ? [...path, 'content'] : [...path, 'content', blocks.length - 1, 'text'];
    yield found('prefill', at, 'Remove the whitespace at the end of the text to continue.');
  }
}

/** Finds `forced-tool-thinking`: a forced tool call together with thinking. */
export function* findForcedTool({ params, paramsPath }: Subject): Iterable<Finding> {
  const choice = fieldOf(params.tool_choice, 'type');
  if ((choice === 'any' || choice === 'tool') && isThinking(params.thinking)) {
    yield found('forced-tool-thinking', [...paramsPath, 'tool_choice'], 'With "thinking", "tool_choice" must be "auto" or "none".');
  }
}

/** Finds `emptied-thinking`: signed thinking without its text, unless the request omits thinking from answers. */
export function* findEmptiedThinking({ params, paramsPath }: Subject): Iterable<Finding> {
  if (fieldOf(params.thinking, 'display') === 'omitted') {
    return;
  }
  for (const [index, message] of asArray(params.messages).entries()) {
    for (const [position, block] of asArray(fieldOf(message, 'content')).entries()) {
      if (fieldOf(block, 'type') === 'thinking' && fieldOf(block, 'thinking') === '') {
        const path = [...paramsPath, 'messages', index, 'content', position, 'thinking'];
        yield found('emptied-thinking', path, 'This signed thinking block has lost its text.');
      }
    }
  }
}

/** Returns whether thinking has a fixed budget. With adaptive thinking, the model may answer without thinking. */
function isThinking(thinking: unknown): boolean {
  return fieldOf(thinking, 'type') === 'enabled' && typeof fieldOf(thinking, 'budget_tokens') === 'number';
}

/** Finds `thinking-budget`: no room for the answer in `max_tokens`. Fallbacks inherit both unless they set them. */
export function* findThinking({ params, paramsPath }: Subject): Iterable<Finding> {
  yield* compare(params.thinking, params.max_tokens, [...paramsPath, 'thinking', 'budget_tokens']);
  for (const [index, item] of asArray(params.fallbacks).entries()) {
    const { thinking, max_tokens: maxTokens } = asObject(item);
    if (isSet(thinking) || isSet(maxTokens)) {
      // Shown at the field that the fallback sets. A problem of inherited fields is only shown at the request.
      const changed = isSet(thinking) ? ['thinking', 'budget_tokens'] : ['max_tokens'];
      const path = [...paramsPath, 'fallbacks', index, ...changed];
      yield* compare(isSet(thinking) ? thinking : params.thinking, isSet(maxTokens) ? maxTokens : params.max_tokens, path);
    }
  }
}

function* compare(thinking: unknown, maxTokens: unknown, path: Path): Iterable<Finding> {
  const budget = fieldOf(thinking, 'type') === 'enabled' ? fieldOf(thinking, 'budget_tokens') : undefined;
  if (typeof budget !== 'number' || typeof maxTokens !== 'number' || maxTokens < 0 || budget < maxTokens) {
    return;
  }
  if (budget > maxTokens) {
    const template = 'The thinking budget ({0}) is larger than "max_tokens" ({1}), which includes it.';
    yield found('thinking-budget', path, template, [budget, maxTokens]);
  } else {
    const template = 'The thinking budget uses all of "max_tokens" ({0}). Nothing is left for the answer.';
    yield found('thinking-budget', path, template, [budget], { severity: 'warning' });
  }
}
