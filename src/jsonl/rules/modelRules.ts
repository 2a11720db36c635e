import { closeName } from './closeName';
import { asArray, asString, type Finding, fieldOf, found, isSet, type Path, type Subject } from './finding';
import { contractModels, endingModel, fromContractModel, hasFixedSampling, toContractModel } from './modelNames';
import type { RuleOptions } from './ruleOptions';

/** `deprecated-model` and `unknown-model`, of the request and of its fallbacks. */
export function* findModels({ params, paramsPath, options }: Subject): Iterable<Finding> {
  yield* judgeModel(params.model, [...paramsPath, 'model'], options);
  for (const [index, fallback] of asArray(params.fallbacks).entries()) {
    yield* judgeModel(fieldOf(fallback, 'model'), [...paramsPath, 'fallbacks', index, 'model'], options);
  }
}

/** What the rules say of a model's name alone. */
export function* judgeModel(value: unknown, path: Path, options: RuleOptions): Iterable<Finding> {
  const model = asString(value);
  if (model === undefined) {
    return;
  }
  const { models, today } = options;
  const contractModel = toContractModel(model, options);
  if (contractModel === endingModel.name) {
    const { lastDay } = endingModel;
    const successor = fromContractModel(endingModel.successor, options);
    const template =
      today > lastDay
        ? 'Support of the model {0} ended on {1}. Change to {2}.'
        : 'The model {0} is deprecated; its support ends on {1}. Change to {2}.';
    yield found('deprecated-model', path, template, [model, lastDay, successor], { hint: { suggestion: successor } });
  } else if (models !== undefined && !models.includes(model) && !contractModels.includes(contractModel)) {
    const suggestion = closeName(model, [...models, ...contractModels.map(name => fromContractModel(name, options))]);
    yield suggestion === undefined
      ? found('unknown-model', path, 'The connection does not list this model. If the service has it nonetheless, all is well.')
      : found('unknown-model', path, 'The connection does not list this model. Did you mean {0}?', [suggestion], { hint: { suggestion } });
  }
}

const samplingTexts = {
  temperature: 'The model {0} rejects every temperature but 1. Remove the field.',
  top_k: 'The model {0} rejects top_k. Remove the field.',
  top_p: 'The model {0} rejects top_p below 0.99. Remove the field.',
};

/** `sampling-rejected`: what models after the sixth-generation flagship answer with 400. */
export function* findSampling({ params, paramsPath, options }: Subject): Iterable<Finding> {
  const model = asString(params.model);
  if (model === undefined || !hasFixedSampling(model, options)) {
    return;
  }
  const { temperature, top_k: topK, top_p: topP } = params;
  if (typeof temperature === 'number' && temperature !== 1) {
    yield found('sampling-rejected', [...paramsPath, 'temperature'], samplingTexts.temperature, [model]);
  }
  if (isSet(topK)) {
    yield found('sampling-rejected', [...paramsPath, 'top_k'], samplingTexts.top_k, [model]);
  }
  if (typeof topP === 'number' && topP < 0.99) {
    yield found('sampling-rejected', [...paramsPath, 'top_p'], samplingTexts.top_p, [model]);
  }
}
