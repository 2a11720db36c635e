import assert from 'node:assert/strict';
import { describeSwitch } from '../../../../src/features/batches/destination';
import type { Connection, Connections } from '../../../../src/features/connection';

const limits = { maxRequests: 1, maxBytes: 1 };
const emulator = (baseUrl: string) => ({ name: 'Emulator', baseUrl, isEmulator: true, limits }) as unknown as Connection;
const now = (baseUrl: string) => ({ current: emulator(baseUrl), state: 'ready', reason: undefined }) as unknown as Connections;
const checked = {
  connection: emulator('http://127.0.0.1:1'),
  host: '127.0.0.1:1',
  origin: 'http://127.0.0.1:1',
  baseUrl: 'http://127.0.0.1:1',
  limits,
};

describe('features/batches/destination', () => {
  it("reports before sending that the emulator's address has changed", () => {
    assert.equal(describeSwitch(checked, now('http://127.0.0.1:1'), true), undefined);
    assert.match(describeSwitch(checked, now('http://127.0.0.1:2'), true) ?? '', /^The connection Emulator has changed/);
    assert.equal(describeSwitch(checked, now('http://127.0.0.1:2'), false), undefined, 'an estimate goes nowhere');
    assert.equal(describeSwitch(checked, now(''), true), undefined, 'it starts when it is needed');
  });
});
