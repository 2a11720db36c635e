import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorKind } from '../../../../../src/client/transport/errors';
import { defaultLimits } from '../../../../../src/features/connection/connectionSettings';
import { findProblem, suggestsOtherFormat, summarize, type TestReport } from '../../../../../src/features/connection/probing/testReport';
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
    { milliseconds: 12.4, failure: undefined },
    { milliseconds: 40.2, failure: undefined },
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
};
const broken: TestReport = {
  ...works,
  calls: [{ milliseconds: 5, failure: failure('invalid_request', 400) }],
};

describe('features/connection/probing/testReport', () => {
  it('summarizes a working connection', () => {
    assert.equal(findProblem(works, fillPlaceholders), undefined);
    assert.equal(
      summarize(works, fillPlaceholders),
      `"Team" works (40 ms). Supports Models, Batches. No access to Files. Doesn't support Memory Stores.`,
    );
  });

  it("doesn't report a failure because a service has no models or batches", () => {
    const missing = { milliseconds: 3, failure: failure('not_found', 404) };
    const calls = [missing, missing];
    assert.equal(findProblem({ ...works, calls }, fillPlaceholders)?.remedy, 'address');
    const agents = { milliseconds: 9, failure: undefined };
    assert.equal(findProblem({ ...works, calls: [...calls, agents] }, fillPlaceholders), undefined);
  });

  it("quotes the service's own error", () => {
    assert.equal(
      summarize(broken, fillPlaceholders),
      '"Team" doesn\'t work. The service failed. Response 400: no such beta (request-id req_9)',
    );
  });

  it('proposes other header names if the service accepts them', () => {
    const other: TestReport = { ...broken, finding: { ...works.finding, format: { auth: 'bearer', dialect: 'anthropic-2026' } } };
    assert.equal(suggestsOtherFormat(other), true);
    assert.match(summarize(other, fillPlaceholders), /responds, but needs different settings/);
  });

  it('points to the most likely remedy', () => {
    const remedy = (kind: ServiceErrorKind) =>
      findProblem({ ...works, calls: [{ milliseconds: 1, failure: failure(kind) }] }, fillPlaceholders)?.remedy;
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
