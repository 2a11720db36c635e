import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../../../src/client/serviceClient';
import { ServiceError } from '../../../../../../src/client/transport/errors';
import {
  cacheDuration,
  incompleteCacheDuration,
  ServiceNames,
} from '../../../../../../src/features/resources/agents/language/serviceNames';

describe('features/resources/agents/language/serviceNames', () => {
  let now = 0;
  let asked: string[] = [];
  let warnings: string[] = [];
  let answer: (group: string, options: object) => Promise<{ items: { id: string }[]; nextCursor?: string }>;
  let reach: () => Promise<ServiceClient>;

  const list = (group: string) => async (options: object) => {
    asked.push(group);
    return answer(group, options);
  };
  const client = {
    models: { list: list('models') },
    agents: { list: list('agents') },
    skills: { list: list('skills'), versions: (id: string) => ({ list: list(`versions of ${id}`) }) },
  } as unknown as ServiceClient;
  const make = () =>
    new ServiceNames(
      () => reach(),
      { monotonic: () => now },
      message => warnings.push(message),
    );

  beforeEach(() => {
    now = 1;
    asked = [];
    warnings = [];
    answer = async group => ({ items: [{ id: `of ${group}` }] });
    reach = async () => client;
  });

  it('reads a group on demand, once for all callers, and again after a minute', async () => {
    const names = make();
    assert.equal(names.known('Lab').models, undefined);
    await Promise.all([names.refresh('Lab', ['models']), names.refresh('Lab', ['models'])]);
    now += cacheDuration - 1;
    await names.refresh('Lab', ['models']);
    assert.deepEqual([asked, names.known('Lab').models], [['models'], { items: [{ id: 'of models' }], isWhole: true }]);
    now += 1;
    await names.refresh('Lab', ['models']);
    assert.deepEqual(asked, ['models', 'models']);
    assert.equal(names.known('Other').models, undefined);
  });

  it('reads the versions of a skill separately, and archived agents too', async () => {
    const names = make();
    const options: object[] = [];
    answer = async (group, given) => {
      options.push(given);
      return { items: [{ id: group }] };
    };
    await names.refresh('Lab', [{ versionsOf: 's1' }, 'agents']);
    assert.deepEqual(names.known('Lab').versions('s1')?.items, [{ id: 'versions of s1' }]);
    assert.equal(names.known('Lab').versions('s2'), undefined);
    assert.ok(options.some(given => 'includeArchived' in given && given.includeArchived === true));
  });

  it('rereads an incomplete list sooner, and keeps the earlier one meanwhile', async () => {
    const names = make();
    await names.refresh('Lab', ['agents']);
    now += incompleteCacheDuration;
    let arrive: (page: { items: { id: string }[] }) => void = () => undefined;
    const under = new Promise<void>(resolve => {
      answer = () => {
        resolve();
        return new Promise(settle => {
          arrive = settle;
        });
      };
    });
    const again = names.refresh('Lab', ['agents'], incompleteCacheDuration);
    await under;
    assert.deepEqual(names.known('Lab').agents?.items, [{ id: 'of agents' }]);
    arrive({ items: [{ id: 'new' }] });
    await again;
    assert.deepEqual(names.known('Lab').agents?.items, [{ id: 'new' }]);
  });

  it("knows nothing of an unsupported or failing group, reports only the failure, and doesn't read again at once", async () => {
    const names = make();
    answer = async group => {
      throw group === 'skills'
        ? new ServiceError('no such group', { kind: 'not_found', outcome: 'refused', method: 'GET', host: 'h', path: '/', status: 404 })
        : new Error('broken');
    };
    await names.refresh('Lab', ['skills', 'agents']);
    await names.refresh('Lab', ['skills', 'agents']);
    assert.deepEqual([names.known('Lab').skills, names.known('Lab').agents, asked.length], [undefined, undefined, 2]);
    assert.deepEqual(warnings, ['The agents of Lab could not be read for documents of agents: broken']);
  });

  it('keeps the names of a group that fails later, and drops those of a group that no longer exists', async () => {
    const names = make();
    await names.refresh('Lab', ['skills', 'agents']);
    now += cacheDuration;
    answer = async group => {
      throw group === 'skills'
        ? new ServiceError('no such group', { kind: 'not_found', outcome: 'refused', method: 'GET', host: 'h', path: '/', status: 404 })
        : new Error('broken');
    };
    await names.refresh('Lab', ['skills', 'agents']);
    assert.deepEqual([names.known('Lab').skills, names.known('Lab').agents?.items], [undefined, [{ id: 'of agents' }]]);
  });

  it("makes no calls while they aren't allowed, and reads as soon as they are", async () => {
    const names = make();
    reach = async () => {
      throw new Error('not trusted');
    };
    await names.refresh('Lab', ['models']);
    assert.deepEqual([asked, warnings], [[], []]);
    reach = async () => client;
    await names.refresh('Lab', ['models']);
    assert.deepEqual(asked, ['models']);
  });

  it("marks a list that wasn't read completely", async () => {
    const names = make();
    let page = 0;
    answer = async () => {
      page++;
      return { items: Array.from({ length: 100 }, (_, at) => ({ id: `${page} ${at}` })), nextCursor: `page=${page}` };
    };
    await names.refresh('Lab', ['agents']);
    const { items, isWhole } = names.known('Lab').agents ?? assert.fail('not read');
    assert.deepEqual([items.length, isWhole], [1000, false]);
  });

  it('forgets its lists and calls in progress when connections change', async () => {
    const names = make();
    await names.refresh('Lab', ['models']);
    let signal: AbortSignal | undefined;
    answer = async (_, options) => {
      signal = (options as { signal?: AbortSignal }).signal;
      names.clear();
      return { items: [{ id: 'late' }] };
    };
    await names.refresh('Lab', ['agents']);
    assert.deepEqual([names.known('Lab').models, names.known('Lab').agents, signal?.aborted], [undefined, undefined, true]);
  });
});
