import assert from 'node:assert/strict';
import type { Session, SessionFilters } from '../../../../../../src/client/resources/sessions';
import type { ServiceClient } from '../../../../../../src/client/serviceClient';
import type { ListOptions } from '../../../../../../src/client/transport/callResult';
import { ServiceError } from '../../../../../../src/client/transport/errors';
import { SessionSurvey } from '../../../../../../src/features/sessions/list/polling/sessionSurvey';

type Asked = ListOptions & SessionFilters;
const refusal = () =>
  new ServiceError('no', { kind: 'invalid_request', outcome: 'refused', method: 'GET', host: 'h', path: '/', status: 400 });
const session = (id: string, status = 'idle'): Session => ({ id, type: 'session', status });

/** Creates a survey of a service with this many pages of idle sessions, or with the responses of `answer`. */
function surveyOf(pages: number, answer?: (asked: Asked) => { items: Session[]; nextCursor: string | undefined }) {
  const asked: Asked[] = [];
  const found: string[] = [];
  const time = { now: 0 };
  const survey = new SessionSurvey({ monotonic: () => time.now }, sessions => {
    found.push(...sessions.map(({ id }) => id));
  });
  const list = async (options: Asked = {}) => {
    asked.push(options);
    if (answer !== undefined) {
      return { ...answer(options), requestId: undefined };
    }
    const page = Number(options.cursor ?? 0);
    const items = options.statuses?.includes('idle') === true ? [session(`s${page}`)] : [];
    return { items, nextCursor: items.length > 0 && page + 1 < pages ? String(page + 1) : undefined, requestId: undefined };
  };
  const client = { sessions: { list } } as unknown as ServiceClient;
  const { signal } = new AbortController();
  const sweep = async () => {
    do {
      await survey.step(client, signal);
    } while (survey.isUnderWay);
  };
  return { survey, asked, found, time, sweep, running: () => survey.readRunning(client, signal) };
}

describe('features/sessions/list/polling/sessionSurvey', () => {
  it('reads all idle sessions and the newest ended ones, by status, a page per step', async () => {
    const { survey, asked, found, sweep } = surveyOf(3);
    assert.equal(survey.reach, 'none');
    await sweep();
    assert.deepEqual(found, ['s0', 's1', 's2']);
    assert.deepEqual(
      asked.map(({ statuses }) => statuses),
      [['idle'], ['idle'], ['idle'], ['terminated']],
    );
    assert.deepEqual([survey.reach, survey.isDue], ['whole', false]);
  });

  it('starts again after a while, and at once on request', async () => {
    const { survey, time, sweep } = surveyOf(1);
    await sweep();
    time.now += 59_000;
    assert.equal(survey.isDue, false);
    time.now += 1_000;
    assert.equal(survey.isDue, true);
    await sweep();
    survey.startOver();
    assert.equal(survey.isDue, true);
    assert.equal(survey.reach, 'whole');
  });

  it('reads a limited number of pages, and reports that', async () => {
    const { survey, found, sweep } = surveyOf(1000);
    await sweep();
    assert.deepEqual([survey.reach, found.length], ['bounded', 20]);
  });

  it('reads running sessions in one go', async () => {
    const { asked, running } = surveyOf(1);
    assert.equal(await running(), 1);
    assert.deepEqual(asked[0]?.statuses, ['running', 'rescheduling']);
  });

  it("reads without a rejected filter, and doesn't send it again", async () => {
    const { survey, asked, found, sweep, running } = surveyOf(1, ({ statuses }) => {
      if (statuses !== undefined) {
        throw refusal();
      }
      return { items: [session('a'), session('b', 'running')], nextCursor: undefined };
    });
    await running();
    await sweep();
    assert.equal(await running(), 0);
    assert.deepEqual([found, survey.reach], [['a', 'b'], 'whole']);
    assert.deepEqual(
      asked.map(({ statuses }) => statuses?.length),
      [2, undefined],
    );
  });

  it('starts its first sweep when the filter is rejected for the running sessions', async () => {
    const { survey, running } = surveyOf(1, ({ statuses }) => {
      if (statuses !== undefined) {
        throw refusal();
      }
      return { items: [session('a')], nextCursor: undefined };
    });
    await running();
    assert.deepEqual([survey.isUnderWay, survey.reach], [true, 'reading']);
  });

  it('rests according to the pages of its last sweep only', async () => {
    const refuses = { now: false };
    const { survey, time, sweep, running } = surveyOf(1, ({ statuses, cursor }) => {
      if (statuses !== undefined && refuses.now) {
        throw refusal();
      }
      const page = Number(cursor ?? 0);
      return {
        items: [session(`s${page}`)].filter(() => statuses?.includes('idle') ?? true),
        nextCursor: statuses !== undefined && page < 9 ? String(page + 1) : undefined,
      };
    });
    await sweep();
    refuses.now = true;
    await running();
    await sweep();
    time.now += 60_000;
    assert.equal(survey.isDue, true);
  });

  it('notices that a service ignores the filter', async () => {
    const { survey, asked, sweep } = surveyOf(1, () => ({ items: [session('a'), session('b', 'running')], nextCursor: undefined }));
    await sweep();
    assert.deepEqual([asked.length, asked.at(-1)?.statuses, survey.reach], [2, undefined, 'whole']);
  });

  it("ends a sweep whose cursor is rejected, and doesn't call it complete", async () => {
    const { survey, sweep } = surveyOf(1, ({ cursor, statuses }) => {
      if (cursor !== undefined) {
        throw refusal();
      }
      return { items: statuses?.includes('idle') === true ? [session('a')] : [], nextCursor: statuses?.includes('idle') ? 'x' : undefined };
    });
    await sweep();
    assert.equal(survey.reach, 'bounded');
  });

  it('stops if a service ignores the cursor', async () => {
    const { asked, sweep } = surveyOf(1, ({ statuses }) => ({
      items: statuses?.includes('idle') === true ? [session('a')] : [],
      nextCursor: 'next',
    }));
    await sweep();
    assert.ok(asked.length < 6, String(asked.length));
  });
});
