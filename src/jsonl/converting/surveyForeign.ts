import type { ProblemText } from '../../contract/problem';
import type { PassContext } from '../files/lineFile';
import { NotConvertible } from './conversionNotes';
import { givenId, isGeneratedId, readItem } from './convertItem';
import type { ForeignSource, ForeignSurvey, ItemKind } from './convertingJobs';
import { type ForeignItem, forEachItem, layoutOf } from './foreignItems';

/** Maximum number of models to list. No user maps more models than this. */
const maxModels = 1000;

class KnownEnough extends Error {}

/** Surveys a file that may be converted. Memory only grows with its models and ids. Blocks the thread, so only for workers. */
export function surveyForeign({ path, maxItems = Number.POSITIVE_INFINITY }: ForeignSource, context: PassContext): ForeignSurvey {
  const layout = layoutOf(path);
  const kinds: Record<ItemKind, number> = { request: 0, params: 0, 'batch-line': 0, chat: 0 };
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
      if (given !== undefined && isGeneratedId(given)) {
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
