import assert from 'node:assert/strict';
import { collator, dateTimeFormat, listFormat, numberFormat, relativeTimeFormat } from '../../../src/shared/formats';

describe('shared/formats', () => {
  it('creates a format once per locale and options', () => {
    assert.equal(numberFormat('de', { maximumFractionDigits: 1 }), numberFormat('de', { maximumFractionDigits: 1 }));
    assert.equal(dateTimeFormat('de', { dateStyle: 'short' }), dateTimeFormat('de', { dateStyle: 'short' }));
    assert.equal(relativeTimeFormat('de'), relativeTimeFormat('de'));
    assert.equal(listFormat('de'), listFormat('de'));
    assert.equal(collator('de'), collator('de'));
  });

  it('distinguishes locales, options and their defaults', () => {
    assert.deepEqual(
      [
        numberFormat('en').format(1234.5),
        numberFormat('de').format(1234.5),
        numberFormat('de', { maximumFractionDigits: 0 }).format(1234.5),
        numberFormat('en', { style: 'percent' }).format(0.5),
      ],
      ['1,234.5', '1.234,5', '1.235', '50%'],
    );
    assert.equal(numberFormat().format(1), new Intl.NumberFormat().format(1));
    assert.deepEqual(
      ['Asia/Tokyo', 'UTC'].map(timeZone => dateTimeFormat('en', { timeZone, timeStyle: 'short' }).format(0).replace(/\s/g, ' ')),
      ['9:00 AM', '12:00 AM'],
    );
  });

  it("creates a format for the machine's current time zone", () => {
    const own = Object.getOwnPropertyDescriptor(Date.prototype, 'getTimezoneOffset');
    const before = dateTimeFormat('en', { timeStyle: 'short' });
    try {
      Object.defineProperty(Date.prototype, 'getTimezoneOffset', { configurable: true, value: () => 12_345 });
      assert.notEqual(dateTimeFormat('en', { timeStyle: 'short' }), before);
      assert.equal(dateTimeFormat('en', { timeZone: 'UTC' }), dateTimeFormat('en', { timeZone: 'UTC' }));
    } finally {
      Object.defineProperty(Date.prototype, 'getTimezoneOffset', own ?? {});
    }
    assert.equal(dateTimeFormat('en', { timeStyle: 'short' }), before);
  });

  it("rejects invalid options each time, and doesn't grow endlessly", () => {
    assert.throws(() => dateTimeFormat('en', { timeZone: 'Nowhere/None' }), RangeError);
    assert.throws(() => dateTimeFormat('en', { timeZone: 'Nowhere/None' }), RangeError);
    const first = numberFormat('en', { minimumIntegerDigits: 1 });
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    for (const currency of letters.flatMap(one => letters.map(two => `X${one}${two}`))) {
      numberFormat('en', { style: 'currency', currency });
    }
    assert.notEqual(numberFormat('en', { minimumIntegerDigits: 1 }), first);
  });
});
