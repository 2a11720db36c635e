import assert from 'node:assert/strict';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { describeGroups, toFinding } from '../../../../../src/features/connection/probing/probeFinding';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

const nothing = {
  auth: undefined,
  dialect: undefined,
  isDialectCertain: false,
  groups: new Map(),
  failure: undefined,
};

describe('features/connection/probing/probeFinding', () => {
  it('adopts detected settings', () => {
    const groups = new Map([['models', 'served']] as const);
    const finding = toFinding({ ...nothing, auth: 'bearer', dialect: 'anthropic-2026', isDialectCertain: true, groups }, fillPlaceholders);
    assert.deepEqual(finding, {
      format: { auth: 'bearer', dialect: 'anthropic-2026' },
      isDialectCertain: true,
      groups,
      problem: undefined,
    });
  });

  it('turns a failure into a headline, details and a remedy', () => {
    const failure = new ServiceError('a.example answered 401', {
      ...{ kind: 'authentication', outcome: 'refused', method: 'GET', host: 'a.example', path: '/v1/models' },
      ...{ status: 401, serviceMessage: 'invalid API key', requestId: 'req_1' },
    } as const);
    assert.deepEqual(toFinding({ ...nothing, failure }, fillPlaceholders).problem, {
      headline: 'The service rejected the API key.',
      details: 'Response 401: invalid API key (request-id req_1)',
      remedy: 'key',
    });
  });

  it("describes a service that doesn't respond", () => {
    assert.equal(toFinding(nothing, fillPlaceholders).problem?.remedy, 'address');
    assert.deepEqual(describeGroups(new Map(), fillPlaceholders), ['No supported features found.']);
  });
});
