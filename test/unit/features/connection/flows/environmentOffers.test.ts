import assert from 'node:assert/strict';
import { belongTogether, findOffers } from '../../../../../src/features/connection/flows/environmentOffers';

describe('features/connection/flows/environmentOffers', () => {
  it('finds addresses and the names of keys, without the keys', () => {
    const offers = findOffers({
      TEAM_BASE_URL: 'https://a.example/v1',
      BAD_BASE_URL: 'https://key@a.example',
      TEAM_API_KEY: 'sk-secret',
      EMPTY_API_KEY: '',
      SPACED_API_KEY: 'a b',
      PATH: '/bin',
    });
    assert.deepEqual(
      offers.addresses.map(({ variable, baseUrl }) => [variable, baseUrl.url]),
      [['TEAM_BASE_URL', 'https://a.example']],
    );
    assert.deepEqual(offers.keyVariables, ['TEAM_API_KEY']);
    assert.equal(JSON.stringify(offers).includes('sk-secret'), false);
  });

  it('knows which key goes with which address', () => {
    assert.equal(belongTogether('TEAM_API_KEY', 'TEAM_BASE_URL'), true);
    assert.equal(belongTogether('OTHER_API_KEY', 'TEAM_BASE_URL'), false);
    assert.equal(belongTogether('TEAM_API_KEY', undefined), false);
  });
});
