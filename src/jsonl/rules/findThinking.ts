import { asArray, asObject, type Finding, fieldOf, found, isSet, type Path, type Subject } from './finding';

/**
 * Finds `thinking-budget`: a budget that leaves no room for the answer in `max_tokens`. Fallbacks inherit both fields from the request
 * unless they set their own.
 */
export function* findThinking({ params, paramsPath }: Subject): Iterable<Finding> {
  yield* compare(params.thinking, params.max_tokens, [...paramsPath, 'thinking', 'budget_tokens']);
  for (const [index, item] of asArray(params.fallbacks).entries()) {
    const { thinking, max_tokens: maxTokens } = asObject(item);
    if (isSet(thinking) || isSet(maxTokens)) {
      // Shown at the field that the fallback changes. Problems of inherited fields are shown once, at the request.
      const place = isSet(thinking) ? ['thinking', 'budget_tokens'] : ['max_tokens'];
      const path = [...paramsPath, 'fallbacks', index, ...place];
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
