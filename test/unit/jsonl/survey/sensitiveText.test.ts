import assert from 'node:assert/strict';
import type { SensitivePattern } from '../../../../src/jsonl/survey/fileSurvey';
import { findSensitive, maskText } from '../../../../src/jsonl/survey/sensitiveText';
import { requestOf, surveyLine } from './surveyTexts';

/** Random key. The source splits the key, so that secret scanners don't report it. */
const key = `Zx81Qw${'7tRk2Lm9'}pV4sNb3c`;
const hits: readonly (readonly [SensitivePattern, string, string])[] = [
  ['private-key', `-----BEGIN ${'RSA PRIVATE'} KEY-----`, '\nMIIE'],
  ['private-key', `-----BEGIN ${'PRIVATE'} KEY-----`, ''],
  ['private-key', `-----BEGIN ${'OPENSSH PRIVATE'} KEY-----`, ''],
  ['api-key', `sk-${key}`, ' is the key'],
  ['api-key', `sk-ant-api03-${key}`, ''],
  ['api-key', `AKIA${'Q3EGR7TY2UJM5WXZ'}`, '.'],
  ['api-key', `ghp_${key}${key}`, ''],
  ['api-key', `github_pat_${key}${key}`, ''],
  ['api-key', `xoxb-${'2345678901'}-${key}`, ''],
  ['api-key', `AIza${key}${'a1B2c3D4e5F6g'}`.slice(0, 39), ''],
  ['api-key', `sk_live_${key}`, ''],
  ['api-key', `API_KEY=${key}`, ''],
  ['api-key', `client_secret": "${key}`, '"'],
  ['json-web-token', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${key}`, ''],
  ['bearer-token', `Bearer ${key}`, ''],
  ['connection-string', 'postgres://admin:hunter2x@d', 'b.corp.com:5432/x'],
  ['connection-string', 'https://me:p4ss-word@h', 'ost/'],
  ['e-mail', 'bob.smith+tag@mail.corp.co.uk', ', please'],
  ['e-mail', 'alice@corp.com', '.'],
  ['payment-card', '4111 1111 1111 1111', ''],
  ['payment-card', '5555555555554444', ' exp 12/30'],
  ['payment-card', '3782-822463-10005', ''],
  ['bank-account', 'DE89 3704 0044 0532 0130 00', ', BIC'],
  ['bank-account', 'GB82WEST12345698765432', ''],
  ['social-security-number', '219-09-9999', ''],
  ['phone-number', '+1 (415) 555-2671', ''],
  ['phone-number', '+442079460958', ' call'],
  ['phone-number', '(212) 736-5000', ''],
  ['phone-number', '415-736-5000', ''],
];

const misses: readonly string[] = [
  '550e8400-e29b-41d4-a716-446655440000',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'commit da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'sk-your-api-key-goes-here',
  'sk-xxxxxxxxxxxxxxxxxxxxxxxx',
  'AKIAIOSFODNN7EXAMPLE',
  'Bearer <token>',
  'the bearer of these shares shall',
  'api_key = os.environ["SERVICE_API_KEY"]',
  'user@example.com and a@b.test and git@github.com',
  'icon@2x.png and lodash@4.17.21',
  '@decorator def f(): pass',
  'postgres://user:password@localhost/db',
  'https://host:8080/a@b',
  '2026-11-21T18:25:54.123456789Z',
  '1234567890123',
  'order 4111111111111112 was sent',
  '0.4111111111111111',
  '1111 1111 1111 1111',
  'DE89 3704 0044 0532 0130 01',
  'ISBN 978-3-16-148410-0',
  '10.0.0.1 and 192.168.100.200',
  '000-12-3456 and 987-65-4321',
  '+12 and +1234567',
  '1 + 4155552671',
  '3.14159265358979323846',
  '2026-11-21 to 2027-01-02',
  'msgbatch_01HkcTjaV5uDC8jWR4ZsDV8d',
  '-----BEGIN PUBLIC KEY-----',
  '----- BEGIN -----',
];

describe('jsonl/survey/sensitiveText', () => {
  it('finds each kind with its position', () => {
    for (const [pattern, sensitive, after] of hits) {
      for (const before of ['', 'see: ', '"', '日本 ']) {
        const text = before + sensitive + after;
        assert.deepEqual(findSensitive(text), [{ pattern, start: before.length, end: before.length + sensitive.length }], text);
      }
    }
  });

  it('finds in a request what it finds in its text: the triggers miss nothing', () => {
    for (const [pattern, sensitive, after] of hits) {
      const { findings } = surveyLine(requestOf(`Look: ${sensitive}${after}`), { minimumCachedTokens: 1024 });
      assert.deepEqual(
        findings.map(finding => [finding.pattern, finding.count]),
        [[pattern, 1]],
        sensitive,
      );
    }
  });

  it('finds nothing else', () => {
    for (const text of misses) {
      assert.deepEqual(findSensitive(text), [], text);
      assert.deepEqual(findSensitive(`see ${text}, please`), [], text);
    }
  });

  it('shows at most four characters, and fewer of short texts', () => {
    assert.equal(maskText('secret-and-long'), 'sec••••');
    assert.equal(maskText('a-secret-that-is-longer'), 'a-se••••');
    assert.equal(maskText('a@b.co'), 'a••••');
    assert.equal(maskText('😀😀😀😀😀😀😀😀'), '😀😀😀😀••••');
  });

  it('takes linear time for any text', () => {
    const size = 400_000;
    const units = [
      'a',
      '1',
      '1 ',
      'a@',
      '@a.',
      'eyJ',
      'eyJaaaaaaaa.',
      'sk-',
      'a://b:',
      '+1 ',
      '-----BEGIN ',
      'A1',
      'DE89 ',
      'api_key=',
      'bearer ',
      '4-',
      '(',
      'a.',
      'api_',
    ];
    for (const unit of units) {
      const once = unit.repeat(Math.ceil(size / unit.length));
      // A quadratic pattern would take minutes and exceed the test's time limit.
      assert.ok(findSensitive(once).length >= 0, unit);
    }
  });
});
