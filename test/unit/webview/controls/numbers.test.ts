import assert from 'node:assert/strict';
import { toDuration, toMoment, toMoney, toWholeDuration } from '../../../../src/webview/controls/numbers';

const t = (text: string, ...args: readonly (string | number)[]): string =>
  text.replace(/\{(\d)\}/g, (_, place) => String(args[Number(place)]));

describe('webview/controls/numbers', () => {
  it('formats durations in words', () => {
    const words = [0, 0.4, 312, 999.4, 999.6, 1240, 9940, 9960, 59_400, 59_600, 192_000, 7_500_000, 273_600_000, -5].map(milliseconds =>
      toDuration(milliseconds, { t, locale: 'en' }),
    );
    assert.deepEqual(words, '0 ms|0 ms|312 ms|999 ms|1 s|1.2 s|9.9 s|10 s|59 s|1 min 0 s|3 min 12 s|2 h 5 min|3 d 4 h|0 ms'.split('|'));
  });

  it('formats running times without decimals, rounded down', () => {
    assert.deepEqual(
      [0.9, 59.9, 60, 3599.9, 86_400, -1].map(seconds => toWholeDuration(seconds, t)),
      ['0 s', '59 s', '1 min 0 s', '59 min 59 s', '1 d 0 h', '0 s'],
    );
  });

  it('formats money, also in an invalid currency', () => {
    assert.equal(toMoney({ cents: 123_456, currency: 'USD' }, 'en'), '$1,234.56');
    assert.equal(toMoney({ cents: 5, currency: 'no currency' }, 'en'), '0.05 no currency');
  });

  it('formats moments of other days with their date, and invalid ones as nothing', () => {
    const noon = new Date(2026, 0, 5, 12).getTime();
    assert.equal(toMoment(noon, 'en', noon + 3_600_000), '12:00:00 PM');
    assert.equal(toMoment(noon, 'en', noon + 86_400_000), 'Jan 5, 2026, 12:00:00 PM');
    assert.equal(toMoment(Number.MAX_VALUE, 'en', noon), '');
  });
});
