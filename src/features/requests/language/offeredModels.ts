import type { Model } from '../../../client/schemas/models';
import type { OfferedModel } from '../../../jsonl/guide/offers';

/** Models as they are offered: a name that only repeats the id is left out. */
export function toModels(models: readonly Model[]): readonly OfferedModel[] {
  return models.map(({ id, display_name: name }) => (name == null || name === id ? { id } : { id, displayName: name }));
}
