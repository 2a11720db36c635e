import assert from 'node:assert/strict';
import type { ServiceErrorKind } from '../../../../../src/client/transport/errors';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { defaultLimits } from '../../../../../src/features/connection/connectionSettings';
import {
  findProblem,
  suggestsOtherFormat,
  summarize,
  type TestReport,
  toReportText,
} from '../../../../../src/features/connection/probing/testReport';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

const failure = (kind: ServiceErrorKind, status?: number) =>
  new ServiceError('a.example answered badly', {
    kind,
    outcome: 'refused',
    method: 'GET',
    host: 'a.example',
    path: '/v1/models',
    status,
    serviceMessage: status === undefined ? undefined : 'no such beta',
    requestId: 'req_9',
  });

const works: TestReport = {
  connection: {
    name: 'Team',
    baseUrl: 'https://a.example',
    auth: 'x-api-key',
    dialect: 'contract',
    extraBetas: ['extra'],
    limits: defaultLimits,
    allowInsecureHttp: false,
    isEmulator: false,
  },
  calls: [
    { what: 'Models', milliseconds: 12.4, requestId: 'req_1', failure: undefined },
    { what: 'Batches', milliseconds: 40.2, requestId: undefined, failure: undefined },
  ],
  finding: {
    format: { auth: 'x-api-key', dialect: 'contract' },
    isDialectCertain: true,
    groups: new Map([
      ['models', 'served'],
      ['batches', 'served'],
      ['memoryStores', 'missing'],
      ['files', 'refused'],
    ]),
    problem: undefined,
  },
  testedAt: '2026-11-21T12:00:00Z',
};
const broken: TestReport = {
  ...works,
  calls: [{ what: 'Models', milliseconds: 5, requestId: 'req_9', failure: failure('invalid_request', 400) }],
};

describe('features/connection/probing/testReport', () => {
  it('marks names that nothing on the service tells, in the connection and in what was found', () => {
    const guess = 'Names: Service contract (neutral names) (assumed)';
    const count = (report: TestReport) => toReportText(report, fillPlaceholders).split(guess).length - 1;
    assert.equal(count(works), 0);
    assert.equal(count({ ...works, finding: { ...works.finding, isDialectCertain: false } }), 1);
    const connection = { ...works.connection, isDialectGuess: true };
    assert.equal(count({ ...works, connection, finding: { ...works.finding, isDialectCertain: false } }), 2);
  });

  it('sums up a connection that works', () => {
    assert.equal(findProblem(works, fillPlaceholders), undefined);
    assert.equal(
      summarize(works, fillPlaceholders),
      `"Team" works (40 ms). Supports Models, Batches. Refuses Files. Doesn't support Memory Stores.`,
    );
  });

  it('does not call a connection broken because its service has no models or batches', () => {
    const missing = (what: string) => ({ what, milliseconds: 3, requestId: undefined, failure: failure('not_found', 404) });
    const calls = [missing('Models'), missing('Batches')];
    assert.equal(findProblem({ ...works, calls }, fillPlaceholders)?.remedy, 'address');
    const agents = { what: 'Agents', milliseconds: 9, requestId: undefined, failure: undefined };
    assert.equal(findProblem({ ...works, calls: [...calls, agents] }, fillPlaceholders), undefined);
    assert.match(toReportText({ ...works, calls: [...calls, agents] }, fillPlaceholders), /Models: a\.example answered badly/);
  });

  it('gives latency, request ids and what is served, refused and missing', () => {
    const text = toReportText(works, fillPlaceholders);
    for (const line of [
      'Test of connection "Team", 2026-11-21T12:00:00Z',
      'Address: https://a.example',
      'Other betas: extra',
      '  Models: 12 ms (request-id req_1)',
      '  Batches: 40 ms',
      '  Supports Models, Batches.',
      '  Refuses Files.',
      "  Doesn't support Memory Stores.",
    ]) {
      assert.ok(text.split('\n').includes(line), `${line} is not in\n${text}`);
    }
  });

  it('says what is wrong in the service’s own words', () => {
    assert.equal(
      summarize(broken, fillPlaceholders),
      '"Team" doesn\'t work. The service failed. Response 400: no such beta (request-id req_9)',
    );
  });

  it('proposes other names when the service answers to them', () => {
    const other: TestReport = { ...broken, finding: { ...works.finding, format: { auth: 'bearer', dialect: 'anthropic-2026' } } };
    assert.equal(suggestsOtherFormat(other), true);
    assert.match(summarize(other, fillPlaceholders), /works with other settings/);
    assert.match(toReportText(other, fillPlaceholders), /Change the settings with "Edit Connection"/);
  });

  it('points to what most likely helps', () => {
    const remedy = (kind: ServiceErrorKind) =>
      findProblem(
        { ...works, calls: [{ what: 'Models', milliseconds: 1, requestId: undefined, failure: failure(kind) }] },
        fillPlaceholders,
      )?.remedy;
    assert.equal(remedy('authentication'), 'key');
    assert.equal(remedy('permission'), 'key');
    for (const kind of ['dns', 'connection_refused', 'not_found', 'not_json', 'redirect', 'tls', 'insecure_http'] as const) {
      assert.equal(remedy(kind), 'address', kind);
    }
    for (const kind of ['overloaded', 'connect_timeout', 'connection_lost', 'proxy'] as const) {
      assert.equal(remedy(kind), 'again', kind);
    }
  });
});
