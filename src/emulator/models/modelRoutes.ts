import { ApiError } from '../http/apiError';
import { type Route, routesBelow } from '../http/matchRoute';
import { type Envelope, listPage } from '../http/paging';
import type { Exchange } from '../http/serverExchange';
import type { EmulatedModel, ModelCatalog } from './modelCatalog';

/** Returns the routes of `/v1/models` and `/v1/models/{id}`. */
export function modelRoutes(catalog: ModelCatalog, envelope: () => Envelope): readonly Route[] {
  const route = routesBelow('models', '/v1/models', undefined);
  return [
    route('GET', 'list', '', exchange => exchange.sendJson(listPage(shown(exchange, catalog), exchange.query, envelope()))),
    route('GET', 'retrieve', '/:id', async (exchange, id) => {
      const model = shown(exchange, catalog).find(candidate => candidate.id === id);
      if (model === undefined) {
        throw new ApiError('not_found_error', `model: ${id}`);
      }
      await exchange.sendJson(model);
    }),
  ];
}

/** Returns the models. Beta requests and newer services also get the allowed fallback models. */
function shown({ query, dialect }: Exchange, catalog: ModelCatalog): readonly EmulatedModel[] {
  const { models } = catalog;
  return dialect === 'anthropic-2026' || query.get('beta') === 'true'
    ? models.map(model => ({ ...model, allowed_fallback_models: [catalog.fallbackOf(model.id)] }))
    : models;
}
