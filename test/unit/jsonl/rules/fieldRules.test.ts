import assert from 'node:assert/strict';
import fc from 'fast-check';
import { QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import { looksPersonal } from '../../../../src/jsonl/rules/fieldRules';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { runs } from '../../../helpers/runs';
import { foundIn, sound } from './foundIn';

const personalIds = [
  ...['a@b.co', 'Ann <a@b.co>', 'ann.lee+news@mail.example.org', 'ann@b\u00fccher.example', 'user:ann@example.org', 'a@1.example.org'],
  ...['+49 30 1234567', '+4915112345678', '+1 (555) 010-0199'],
];
const opaqueIds = [
  ...['', 'user-1', '1234567890', '3f2a9c10-0000-4000-8000-000000000000', 'a@b', '@me', '2026-01-31', '12-34', 'x+1', '4711-0815'],
  ...['192.168.1.100', '010.10.100.200', '0815-4711', '0000004711', '0042-0017-0003', '01-2026-000123', 'pkg@1.2.3', 'pkg@1.2.3-beta.1'],
  ...['20260131-104512', '978-3-16-148410-0', '555-010-0199', '+1', '+', '0', '00', '(0)', 'a@b.c1', '00:1a:2b:3c:4d:5e', '12 34 56 78 90'],
  ...['+0171 1234567', '0171 1234567', '+123456', '+1234567890123456'],
];

/** Returns generated ids. Every run of the test has the same ids. */
function generatedIds(count: number): readonly string[] {
  let seed = 20260101;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const of = (characters: string, length: number) =>
    Array.from({ length }, () => characters[Math.floor(random() * characters.length)]).join('');
  const number = (most: number) => Math.floor(random() * most);
  const digits = '0123456789';
  const hex = `${digits}abcdef`;
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const padded = (value: number, length: number) => String(value).padStart(length, '0');
  const kinds: readonly (() => string)[] = [
    () => `${of(hex, 8)}-${of(hex, 4)}-4${of(hex, 3)}-a${of(hex, 3)}-${of(hex, 12)}`,
    () => of(hex, 64),
    () => of(`${digits}ABCDEFGHJKMNPQRSTVWXYZ`, 26),
    () => of(`${digits}${letters}_-`, 21),
    () => String(number(1e7)),
    () => padded(number(1e6), 8),
    () => padded(number(1e6), 10),
    () => String(1e17 + number(1e9) * 1e6),
    () => `${padded(number(1e4), 4)}-${padded(number(1e4), 4)}`,
    () => `${of(digits, 3)}-${of(digits, 3)}-${of(digits, 4)}`,
    () => `${number(256)}.${number(256)}.${number(256)}.${number(256)}`,
    () => `2026-${padded(number(12) + 1, 2)}-${padded(number(28) + 1, 2)}-${padded(number(1e4), 4)}`,
    () => `2026${padded(number(12) + 1, 2)}${padded(number(28) + 1, 2)}${padded(number(86_400), 6)}`,
    () => `user-${number(1e5)}`,
    () => `cust_${of(`${digits}${letters}`, 14)}`,
    () => `${of(letters, 6)}@${number(9)}.${number(20)}.${number(9)}`,
    () => `${of(letters, 5)}@${of(letters, 7)}`,
    () => Array.from({ length: 6 }, () => of(hex, 2)).join(':'),
    () => `${number(90) + 10}/${number(9000) + 1000}/${number(900) + 100}`,
    () => `${of(letters, 2)}/${of(digits, 4)}/${of(digits, 6)}`,
    () => `${number(30)}.${number(12)}.2026 ${number(1e4)}`,
    () => `978-${number(9)}-${of(digits, 4)}-${of(digits, 4)}-${number(9)}`,
    () => String(1.7e9 + number(1e8)),
    () => `${number(1e3)}.${padded(number(1e3), 3)}.${padded(number(1e3), 3)}`,
    () => `v${number(9)}.${number(20)}.${number(9)}+${of(hex, 7)}`,
  ];
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]?.() ?? '');
}

const format = { type: 'json_schema', schema: {} };

describe('jsonl/rules/fieldRules', () => {
  it('gives hints about deprecated fields, at their keys', () => {
    const rule = 'deprecated-field';
    const all = { temperature: 1, top_k: 1, top_p: 1, output_format: format };
    assert.deepEqual(
      foundIn(rule, all),
      Object.keys(all).map(key => `hint ${key} "${key}"`),
    );
    assert.deepEqual(foundIn(rule, { output_format: null, output_config: { format } }), []);
  });

  it('finds the output format at two paths', () => {
    const rule = 'output-format-twice';
    assert.deepEqual(foundIn(rule, { output_format: format, output_config: { format } }), ['warning output_format "output_format"']);
    assert.deepEqual(foundIn(rule, { output_format: null, output_config: { format } }), []);
    assert.deepEqual(foundIn(rule, { output_format: format, output_config: { format: null } }), []);
  });

  it('finds user IDs that identify a person', () => {
    const rule = 'personal-user-id';
    assert.deepEqual(foundIn(rule, { metadata: { user_id: 'ann@example.org' } }), ['warning metadata.user_id "ann@example.org"']);
    assert.deepEqual(foundIn(rule, { metadata: { user_id: null } }), []);
    for (const personal of personalIds) {
      assert.equal(looksPersonal(personal), true, personal);
    }
    for (const opaque of opaqueIds) {
      assert.equal(looksPersonal(opaque), false, opaque);
    }
  });

  it('treats hardly any of 500 generated IDs as personal, in the scan too', () => {
    const ids = generatedIds(500);
    const quick = new QuickLineCheck(contractRules('2026-01-01'));
    const noted = (id: string) => quick.checkQuickly(JSON.stringify({ ...sound, metadata: { user_id: id } }), 0).noted;
    const agrees = (id: string) => assert.equal(noted(id).length > 0, looksPersonal(id), id);
    for (const id of [...ids, ...personalIds, ...opaqueIds]) {
      agrees(id);
    }
    const nearly = fc.string({ unit: fc.constantFrom(...'001234567 (.)/-+@._aBé'), maxLength: 20 });
    fc.assert(fc.property(nearly, agrees), { numRuns: runs(2000) });
    const alarms = ids.filter(looksPersonal);
    assert.ok(alarms.length <= 2, `${alarms.length} of ${ids.length}: ${alarms.join(' ')}`);
  });

  it('warns of secrets in the file, without quoting them', () => {
    const server = { type: 'url', name: 'n', url: 'u' };
    assert.deepEqual(foundIn('token-in-file', { mcp_servers: [server, { ...server, authorization_token: 's3cret' }] }), [
      'warning mcp_servers.1.authorization_token "authorization_token"',
    ]);
    assert.deepEqual(foundIn('token-in-file', { mcp_servers: [{ ...server, authorization_token: null }] }), []);
  });
});
