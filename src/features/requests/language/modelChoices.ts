import type { Model } from '../../../client/resources/models';
import type { Choice } from '../../../common/asking/askSteps';
import type { SuggestedModel } from '../../../jsonl/guide/offers';
import { contractModels } from '../../../jsonl/rules/modelNames';
import { toLabel } from '../../../shared/text';

/** Converts models to suggestions, without names that only repeat the id. */
export function toModels(models: readonly Model[]): readonly SuggestedModel[] {
  return models.map(({ id, display_name: name }) => (name == null || name === id ? { id } : { id, displayName: name }));
}

/** Returns the models that the service lists as choices. If the list is unknown, returns those of the contract. */
export function modelChoices(served: readonly Model[] | undefined): readonly Choice<string>[] {
  const models = served === undefined ? contractModels.map((id): SuggestedModel => ({ id })) : toModels(served);
  return models.map(({ id, displayName = '' }) => ({ label: toLabel(id, 100), description: toLabel(displayName, 100), value: id }));
}
