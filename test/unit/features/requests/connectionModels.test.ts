import assert from 'node:assert/strict';
import type { Model } from '../../../../src/client/resources/models';
import type { ServiceClient } from '../../../../src/client/serviceClient';
import type { Connection } from '../../../../src/features/connection/connection';
import { ConnectionModels } from '../../../../src/features/requests/ruleSettings';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';

type Page = { readonly items: readonly Model[]; readonly nextCursor: string | undefined };
type Asked = { readonly cursor?: string; readonly signal?: AbortSignal };

const model = (id: string) => ({ id }) as Model;
const connection = (name: string) => ({ name, baseUrl: 'https://service.example' }) as Connection;

/** Creates the models of a service whose pages `answer` returns. `settled` resolves at the next response or failure. */
function serve(answer: (cursor: string | undefined) => Page | Error) {
  const asked: Asked[] = [];
  const failures: unknown[] = [];
  let settle: () => void = () => {};
  const list = async (options: Asked) => {
    asked.push(options);
    const page = answer(options.cursor);
    if (page instanceof Error) {
      throw page;
    }
    return page;
  };
  const client = async () => ({ models: { list } }) as unknown as ServiceClient;
  const models = new ConnectionModels(
    client,
    () => settle(),
    (_, error) => {
      failures.push(error);
      settle();
    },
  );
  const settled = () =>
    new Promise<void>(resolve => {
      settle = resolve;
    });
  return { models, asked, failures, settled };
}

describe('features/requests/connectionModels', () => {
  it("lists each connection's models once, page by page, and lets the rules use the list", async () => {
    const { models, asked, settled } = serve(cursor =>
      cursor === undefined
        ? { items: [model('model-large')], nextCursor: 'next' }
        : { items: [model('model-small')], nextCursor: undefined },
    );
    const first = settled();
    const a = connection('a');
    const rules = () => {
      const line = '{"custom_id":"x","params":{"model":"model-smal","max_tokens":1,"messages":[{"role":"user","content":"x"}]}}';
      const options = { ...contractRules(), models: models.of(a)?.map(({ id }) => id) };
      return checkRequestLine(line, 0, options).problems.map(({ rule }) => rule);
    };
    assert.equal(rules().includes('unknown-model'), false);
    assert.equal(models.of(a), undefined);
    await first;
    assert.deepEqual(
      models.of(a)?.map(({ id }) => id),
      ['model-large', 'model-small'],
    );
    assert.ok(rules().includes('unknown-model'));
    assert.deepEqual(
      asked.map(({ cursor }) => cursor),
      [undefined, 'next'],
    );
    const second = settled();
    assert.equal(models.of(connection('b')), undefined);
    await second;
    assert.equal(asked.length, 4);
  });

  it("returns no models of a service that doesn't respond, and doesn't ask it again", async () => {
    const { models, asked, failures, settled } = serve(() => new Error('refused'));
    const failed = settled();
    models.of(connection('a'));
    await failed;
    assert.equal(models.of(connection('a')), undefined);
    assert.equal(asked.length, 1);
    assert.equal(failures.length, 1);
  });

  it('ignores an endless list', async () => {
    let page = 0;
    const { models, asked, settled } = serve(() => ({
      items: Array.from({ length: 100 }, (_, at) => model(`model-${page}-${at}`)),
      nextCursor: `${++page}`,
    }));
    const answered = settled();
    models.of(connection('a'));
    await answered;
    assert.equal(models.of(connection('a')), undefined);
    assert.ok(asked.length < 30);
  });

  it('cancels its calls when it is disposed', async () => {
    const { models, asked, settled } = serve(() => ({ items: [], nextCursor: undefined }));
    const answered = settled();
    models.of(connection('a'));
    await answered;
    assert.equal(asked[0]?.signal?.aborted, false);
    models.dispose();
    assert.equal(asked[0]?.signal?.aborted, true);
  });
});
