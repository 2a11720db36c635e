import { closeName } from '../../contract/closeName';
import { asArray, asString, type Finding, fieldOf, found, isSet, type JsonObject, type Path, type Subject } from './finding';
import { contractModels, endingModel, fromContractModel, hasFixedSampling, toContractModel } from './modelNames';
import type { RuleOptions } from './ruleOptions';

/** Finds `deprecated-model` and `unknown-model`, in the request and its fallbacks. */
export function* findModels({ params, paramsPath, options }: Subject): Iterable<Finding> {
  yield* judgeModel(params.model, [...paramsPath, 'model'], options);
  for (const [index, fallback] of asArray(params.fallbacks).entries()) {
    yield* judgeModel(fieldOf(fallback, 'model'), [...paramsPath, 'fallbacks', index, 'model'], options);
  }
}

/** Finds problems of a model name, without regard to the other fields. */
function* judgeModel(value: unknown, path: Path, options: RuleOptions): Iterable<Finding> {
  const model = asString(value);
  if (model === undefined) {
    return;
  }
  const { models, today } = options;
  if (model.trim() !== model || model === '') {
    yield oddlySpaced(model.trim(), path, options);
    return;
  }
  const contractModel = toContractModel(model, options);
  if (contractModel === endingModel.name) {
    const { lastDay } = endingModel;
    const successor = fromContractModel(endingModel.successor, options);
    const template =
      today > lastDay ? 'Support for {0} ended on {1}. Use {2}.' : '{0} is deprecated, and its support ends on {1}. Use {2}.';
    yield found('deprecated-model', path, template, [model, lastDay, successor], { hint: { suggestion: successor } });
  } else if (models === undefined) {
    const suggestion = slipOf(model, options);
    if (suggestion !== undefined) {
      yield found('unknown-model', path, 'Unknown model. Did you mean {0}?', [suggestion], { hint: { suggestion } });
    }
  } else if (!models.includes(model) && !contractModels.includes(contractModel)) {
    const suggestion = closeName(model, [...models, ...contractModels.map(name => fromContractModel(name, options))]);
    yield suggestion === undefined
      ? found('unknown-model', path, "The connection doesn't list this model.")
      : found('unknown-model', path, 'Unknown model. Did you mean {0}?', [suggestion], { hint: { suggestion } });
  }
}

function oddlySpaced(trimmed: string, path: Path, options: RuleOptions): Finding {
  if (trimmed === '') {
    return found('unknown-model', path, 'Enter a model name.');
  }
  const text = 'Remove the whitespace around the model name.';
  const next = [...judgeModel(trimmed, path, options)].find(({ rule }) => rule === 'unknown-model');
  // If the trimmed name is unknown too, uses the suggestion for the trimmed name.
  const suggestion = next === undefined ? trimmed : next.hint?.suggestion;
  return found('unknown-model', path, text, [], suggestion === undefined ? {} : { hint: { suggestion } });
}

/** Returns the contract model that `model` misspells, if any. Other digits mean another model, perhaps a new one. */
function slipOf(model: string, options: RuleOptions): string | undefined {
  const names = contractModels.map(name => fromContractModel(name, options));
  const candidates = names.filter(name => digitsOf(name) === digitsOf(model));
  return names.includes(model) ? undefined : closeName(model, candidates);
}

/** Returns the digits of a name in their order, without all other characters. */
export function digitsOf(name: string): string {
  return name.replace(/\D/g, '');
}

/** Finds `model-limit`: more tokens than the connection lists for a model, or a speed that the connection lists as unsupported. */
export function* findModelLimits({ params, paramsPath, options }: Subject): Iterable<Finding> {
  const facts = options.modelFacts?.find(({ id }) => id === params.model);
  const { max_tokens: maxTokens, speed } = params;
  if (facts?.maxTokens !== undefined && typeof maxTokens === 'number' && maxTokens > facts.maxTokens) {
    yield found('model-limit', [...paramsPath, 'max_tokens'], '{1} allows at most {0} for "max_tokens".', [facts.maxTokens, facts.id]);
  }
  if (facts?.isNeverFast === true && speed === 'fast') {
    yield found('model-limit', [...paramsPath, 'speed'], '{0} has no "fast" speed. Remove the field.', [facts.id]);
  }
}

const samplingTexts = {
  temperature: '{0} only accepts temperature 1. Remove the field.',
  top_k: '{0} doesn\'t accept "top_k". Remove the field.',
  top_p: '{0} doesn\'t accept "top_p" below 0.99. Remove the field.',
};

/** Finds `sampling-rejected`: parameters that the model of the request or of a fallback rejects with status 400. */
export function* findSampling({ params, paramsPath, options }: Subject): Iterable<Finding> {
  const fields = rejectedFields(params);
  if (fields.length === 0) {
    return;
  }
  const model = asString(params.model);
  if (model !== undefined && hasFixedSampling(model, options)) {
    for (const field of fields) {
      yield found('sampling-rejected', [...paramsPath, field], samplingTexts[field], [model]);
    }
  }
  for (const [index, fallback] of asArray(params.fallbacks).entries()) {
    const name = asString(fieldOf(fallback, 'model'));
    if (name !== undefined && hasFixedSampling(name, options)) {
      const text = "{0} doesn't accept the request's {1}. Choose another model, or remove {1}.";
      // Reported as a warning, because services may check the fallback only when they try it.
      const path = [...paramsPath, 'fallbacks', index, 'model'];
      yield found('sampling-rejected', path, text, [name, fields.join(', ')], { severity: 'warning' });
    }
  }
}

export function rejectedFields({ temperature, top_k: topK, top_p: topP }: JsonObject): readonly (keyof typeof samplingTexts)[] {
  return [
    ...(typeof temperature === 'number' && temperature !== 1 ? (['temperature'] as const) : []),
    ...(isSet(topK) ? (['top_k'] as const) : []),
    ...(typeof topP === 'number' && topP < 0.99 ? (['top_p'] as const) : []),
  ];
}
