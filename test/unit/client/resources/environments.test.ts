import { Loopback } from '../loopback';
import { checkCalls } from './calls';

describe('client/resources/environments', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it('makes the requests of environments', async () => {
    await checkCalls(loopback, [
      {
        call: ({ environments }) => environments.create({ name: 'n', config: { type: 'cloud' } }),
        request: 'POST /v1/environments',
        body: { name: 'n', config: { type: 'cloud' } },
      },
      {
        call: ({ environments }) => environments.list({ limit: 3, includeArchived: false }),
        request: 'GET /v1/environments?include_archived=false&limit=3',
        answer: {},
        result: { items: [], nextCursor: undefined, requestId: 'req_test' },
      },
      { call: ({ environments }) => environments.retrieve('e'), request: 'GET /v1/environments/e' },
      { call: ({ environments }) => environments.archive('e'), request: 'POST /v1/environments/e/archive' },
      { call: ({ environments }) => environments.delete('e'), request: 'DELETE /v1/environments/e' },
    ]);
  });
});
