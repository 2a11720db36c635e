import { ApiError } from '../http/apiError';
import { kindRoutes } from '../http/kindRoutes';
import type { Route } from '../http/matchRoute';
import type { Envelope } from '../http/paging';
import type { ModelCatalog } from './modelCatalog';

/** Returns the routes of `/v1/models` and `/v1/models/{id}`. */
export function modelRoutes(catalog: ModelCatalog, envelope: () => Envelope): readonly Route[] {
  return kindRoutes({
    name: 'models',
    path: '/v1/models',
    type: 'model',
    members: {
      list: () => catalog.models,
      get: id => {
        const model = catalog.models.find(candidate => candidate.id === id);
        if (model === undefined) {
          throw new ApiError('not_found_error', `model: ${id}`);
        }
        return model;
      },
    },
    envelope,
    // Beta requests and newer services also get the allowed fallback models.
    show: (model, { query, dialect }) =>
      dialect === 'anthropic-2026' || query.get('beta') === 'true'
        ? { ...model, allowed_fallback_models: [catalog.fallbackOf(model.id)] }
        : model,
  });
}
