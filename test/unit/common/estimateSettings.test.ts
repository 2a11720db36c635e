import assert from 'node:assert/strict';
import { toEstimateSettings } from '../../../src/common/estimateSettings';

describe('common/estimateSettings', () => {
  const none = { default: {}, user: undefined, folder: [] };
  const usd = { default: 'USD', user: undefined, folder: [] };
  const dear = { 'vendor-opus-4-8': { input: 7.5, output: 37.5, cacheRead: 0.75 } };
  const cheap = { 'vendor-opus-4-8': { input: 0.0001, output: 0, cacheWrite: 0 }, 'team-model': { input: 1, output: 2 } };

  it("keeps the user's price of a model, whatever the folder says, and uses the folder's for others", () => {
    const { prices, folderModels, currency } = toEstimateSettings({ ...none, user: dear, folder: [cheap] }, usd, 'USD');
    assert.deepEqual(Object.fromEntries(prices), { ...dear, 'team-model': cheap['team-model'] });
    assert.deepEqual([[...folderModels], currency], [['team-model'], 'USD']);
  });

  it("uses the folder's prices in its currency if the user set neither, narrower settings first", () => {
    const folder = [cheap, { 'team-model': { input: 3, output: 4 } }];
    const { prices, folderModels, currency } = toEstimateSettings({ ...none, folder }, { ...usd, folder: ['EUR'] }, 'EUR');
    assert.deepEqual(prices.get('team-model'), { input: 3, output: 4 });
    assert.deepEqual([[...folderModels], currency], [['vendor-opus-4-8', 'team-model'], 'EUR']);
  });

  it("shows the user's prices only in their currency, and adds no prices in another one", () => {
    const yen = { ...usd, folder: ['JPY'] };
    for (const currencies of [yen, { ...yen, user: 'USD' }]) {
      const { prices, currency } = toEstimateSettings({ ...none, user: dear, folder: [cheap] }, currencies, 'JPY');
      assert.deepEqual([[...prices.keys()], currency], [['vendor-opus-4-8'], 'USD']);
    }
  });

  it("uses the folder's price if the user's is invalid", () => {
    const user = { 'team-model': { input: -1, output: 1 } } as never;
    const { folderModels } = toEstimateSettings({ ...none, user, folder: [cheap] }, usd, 'USD');
    assert.ok(folderModels.has('team-model'));
  });
});
