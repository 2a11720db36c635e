import assert from 'node:assert/strict';
import { findLinked } from '../../../../src/features/links/linkedConnections';

const lab = { name: 'Lab', baseUrl: 'https://a.example/base', isEmulator: false };
const other = { name: 'Other', baseUrl: 'https://a.example', isEmulator: false };
const elsewhere = { name: 'Elsewhere', baseUrl: 'https://b.example', isEmulator: false };
const called = { name: 'Called', baseUrl: 'http://emulator', isEmulator: false };
const emulator = { name: 'Emulator', baseUrl: 'http://127.0.0.1:4711', isEmulator: true };
const all = [lab, other, elsewhere, called, emulator];

describe('features/links/linkedConnections', () => {
  it('finds connections by host, preferring the one with the same name', () => {
    assert.deepEqual(findLinked(all, { host: 'a.example', connection: 'Other' }), [other]);
    assert.deepEqual(findLinked(all, { host: 'a.example' }), [lab, other]);
    assert.deepEqual(findLinked(all, { host: 'b.example', connection: 'Called otherwise there' }), [elsewhere]);
  });

  it('never uses a connection with the same name and another host', () => {
    assert.deepEqual(findLinked(all, { host: 'evil.example', connection: 'Lab' }), []);
    assert.deepEqual(findLinked(all, { host: 'b.example', connection: 'Lab' }), [elsewhere]);
    assert.deepEqual(findLinked(all, { host: 'a.example:8443', connection: 'Lab' }), []);
  });

  it('finds the emulator by its name alone, with any port', () => {
    assert.deepEqual(findLinked(all, { host: 'emulator', connection: 'Emulator' }), [emulator]);
    assert.deepEqual(findLinked(all, { host: 'emulator', connection: 'Called' }), [called]);
    assert.deepEqual(findLinked(all, { host: 'emulator' }), [called]);
    assert.deepEqual(findLinked(all, { host: '127.0.0.1:4711', connection: 'Emulator' }), []);
  });
});
