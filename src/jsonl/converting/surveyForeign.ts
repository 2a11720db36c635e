import type { ProblemText } from '../../contract/problem';
import type { PassContext } from '../files/lineFile';
import { NotConvertible } from './conversionNotes';
import { countKinds, generatedIdPattern, givenId, type ItemKind, readItem } from './convertItem';
import { type ForeignItem, forEachItem, type ItemLayout, layoutOf } from './foreignItems';

export interface ForeignSurvey {
  readonly layout: ItemLayout;
  readonly kinds: Readonly<Record<ItemKind, number>>;
  readonly unknown: number;
  readonly firstUnknown: ProblemText | undefined;
  /** Models in items of other services, most used first. */
  readonly models: readonly (readonly [model: string, items: number])[];
  readonly withoutModel: number;
  readonly withoutMaxTokens: number;
  /** Existing ids that look like generated ids, and must not be generated again. */
  readonly takenIds: readonly string[];
}

/** Maximum number of models to list. No user maps more models than this. */
const maxModels = 1000;

class KnownEnough extends Error {}

/** Surveys a file that may be converted, or its first `maxItems` items. Memory grows only with its models and ids. */
export function surveyForeign(
  { path, maxItems = Number.POSITIVE_INFINITY }: { readonly path: string; readonly maxItems?: number },
  context: PassContext,
): ForeignSurvey {
  const layout = layoutOf(path);
  const kinds = countKinds();
  const models = new Map<string, number>();
  const taken = new Set<string>();
  let unknown = 0;
  let firstUnknown: ProblemText | undefined;
  let withoutModel = 0;
  let withoutMaxTokens = 0;
  let withoutId = 0;
  const visit = (item: ForeignItem) => {
    if (item.number >= maxItems) {
      throw new KnownEnough();
    }
    try {
      const { kind, isForeign, body, id } = readItem(item);
      kinds[kind]++;
      const given = givenId(id);
      withoutId += kind !== 'request' && given === undefined ? 1 : 0;
      if (given !== undefined && generatedIdPattern.test(given)) {
        taken.add(given);
      }
      if (isForeign) {
        const model = body.get('model')?.string;
        withoutModel += body.given('model') === undefined ? 1 : 0;
        withoutMaxTokens += body.given('max_tokens') === undefined && body.given('max_completion_tokens') === undefined ? 1 : 0;
        if (model !== undefined && (models.has(model) || models.size < maxModels)) {
          models.set(model, (models.get(model) ?? 0) + 1);
        }
      }
    } catch (error) {
      if (!(error instanceof NotConvertible)) {
        throw error;
      }
      unknown++;
      firstUnknown ??= error.text;
    }
  };
  try {
    forEachItem(path, layout, visit, context);
  } catch (error) {
    if (!(error instanceof KnownEnough)) {
      throw error;
    }
  }
  return {
    layout,
    kinds,
    unknown,
    firstUnknown,
    models: [...models].sort((a, b) => b[1] - a[1]),
    withoutModel,
    withoutMaxTokens,
    takenIds: withoutId > 0 ? [...taken] : [],
  };
}
