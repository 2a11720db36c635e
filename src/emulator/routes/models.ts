import { ApiError } from '../http/apiError';
import type { Route } from '../http/matchRoute';
import { type Envelope, listPage } from '../http/paging';
import type { ModelCatalog } from '../modelCatalog';

/** `/v1/models` and `/v1/models/{id}`. */
export function modelRoutes(catalog: ModelCatalog, envelope: () => Envelope): readonly Route[] {
  return [
    {
      name: 'models.list',
      method: 'GET',
      path: '/v1/models',
      beta: undefined,
      handle: exchange => exchange.sendJson(listPage(catalog.models, exchange.query, envelope())),
    },
    {
      name: 'models.retrieve',
      method: 'GET',
      path: '/v1/models/:id',
      beta: undefined,
      handle: async (exchange, id) => {
        const model = catalog.models.find(candidate => candidate.id === id);
        if (model === undefined) {
          throw new ApiError('not_found_error', `model: ${id}`);
        }
        await exchange.sendJson(model);
      },
    },
  ];
}
