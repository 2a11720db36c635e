import { modelSchema } from '../schemas/models';
import type { Models } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { callForPage } from './resource';

/** Creates the calls for models (contract, `GET /v1/models`). */
export function createModels(transport: Transport): Models {
  return { list: async options => callForPage(transport, modelSchema, { group: 'models', path: '/models' }, options) };
}
