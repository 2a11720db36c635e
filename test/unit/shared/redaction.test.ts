import assert from 'node:assert/strict';
import fc from 'fast-check';
import { concealed, redact } from '../../../src/shared/redaction';
import { runs } from '../../helpers/runs';
import { workOf } from '../../helpers/workOf';
import { encodingsOf } from './encodings';

const key = 'CANARY-k7/0123456789+ab=cdef_gh.IJ';

describe('shared/redaction', () => {
  describe('of a known key', () => {
    const encodings = encodingsOf(key);

    it('removes it in every encoding completely', () => {
      assert.ok(encodings.size >= 120, `${encodings.size} encodings`);
      for (const [name, text] of encodings) {
        const shown = concealed(`Bad key ${text} of yours`, key);
        // A JSON buffer has more characters around the key. Base64 mixes bits of adjacent characters into the ends of the key.
        const [before, after] = /buffer/.test(name) ? [200, 40] : [12, 12];
        assert.match(shown, new RegExp(`^Bad key .{0,${before}}\\[key\\].{0,${after}} of yours$`, 's'), name);
      }
    });

    it('removes half of it, and eight characters', () => {
      for (const part of [key.slice(0, 17), key.slice(17), key.slice(9, 17)]) {
        for (const [name, text] of encodingsOf(part)) {
          const isTooShort = part.length === 8 && /Base64|hex|numbers|buffer/.test(name);
          assert.ok(isTooShort || concealed(`Bad key ${text} of yours`, key).includes('[key]'), `${name}: ${text}`);
        }
      }
    });

    it('leaves no eight characters of any key in any text', () => {
      const keys = fc.string({ minLength: 8, maxLength: 40 });
      fc.assert(
        fc.property(keys, fc.string(), fc.string(), fc.nat(), (secret, before, after, from) => {
          const at = from % (secret.length - 7);
          const shown = concealed(`${before}${secret.slice(at, at + 8)}${after}`, secret).replaceAll('[key]', '\n');
          for (let place = 0; place + 8 <= secret.length; place++) {
            assert.equal(shown.includes(secret.slice(place, place + 8)), false);
          }
        }),
        { numRuns: runs(200) },
      );
    });

    it('keeps other words, shorter parts, and short keys that are words', () => {
      const text = `POST /v1/messages 400: ${key.slice(0, 7)}... is no key`;
      assert.equal(concealed(text, key), text);
      assert.equal(concealed('the key', 'key'), 'the key');
      assert.equal(concealed('the pass of 4', 'pass'), 'the [key] of 4');
      assert.equal(concealed(text, undefined), text);
      const ids =
        'msgbatch_01HkcTjaV5uDC8jWR4ZsDV8d req_011CSHoEeqs5C35K2UUqR7Fy 5f2b6c1e-8f3a-4b0a-9c56-1f2e3d4c5b6a &amp; 100%25 =3D \\u00e9';
      assert.equal(concealed(ids, key), ids);
    });
  });

  describe('of secrets by their form', () => {
    const canary = 'CANARY-0123456789abcdef';
    const texts = [
      `Authorization: Bearer ${canary}`,
      `authorization: ${canary}`,
      `Authorization: Basic ${canary}`,
      `{"authorization":"Digest ${canary}"}`,
      `{"authorization":"Bearer ${canary}"}`,
      `AUTHORIZATION: BEARER ${canary}`,
      `X-Api-Key: ${canary}`,
      `{"x-api-key":"${canary}"}`,
      `["x-api-key","${canary}"]`,
      `Proxy-Authorization: Basic ${canary}`,
      `{"authorization_token":"a\\"${canary}"}`,
      `{\\"api_key\\":\\"${canary}\\"}`,
      `{"fallback_credit_token": "${canary}"}`,
      `sk-ant-${canary}`,
      `connect to http://user:${canary}@proxy:3128`,
      `Cookie: theme=dark; session=${canary}; a="${canary}"`,
      `set-cookie: sid=${canary}; HttpOnly`,
      `{"set-cookie":["a=b; Path=/","sid=${canary}"]}`,
      `["cookie","sid=${canary}"]`,
      `sent ${Buffer.from(`sk-ant-${canary}`).toString('base64')}`,
      `sent ${Buffer.from(`user:sk-ant-${canary}`).toString('base64url')}`,
      `sent ${encodeURIComponent(encodeURIComponent(`Authorization: Bearer ${canary}`))}`,
      `sent &quot;x-api-key&quot;: &quot;${canary}&quot;`,
    ];
    for (const text of texts) {
      it(`removes the secret from ${text.replaceAll(canary, '...').slice(0, 60)}`, () => {
        const shown = redact(text);
        assert.equal(shown.includes(canary) || shown.includes(Buffer.from(canary).toString('base64').slice(4, 16)), false, shown);
        assert.match(shown, /\[redacted\]/);
      });
    }

    it('removes the quote in an error of JSON.parse', () => {
      for (const source of [canary, `{"a":${canary}}`, `"a" "${canary}"`, `[1,\n${canary}]`, 'undefined', `{"key":"x"} ${canary} "b"`]) {
        let message = '';
        try {
          JSON.parse(source);
        } catch (error) {
          message = (error as Error).message;
        }
        const shown = redact(`The answer could not be read: ${message} (a.ts)`);
        for (let at = 0; at + 4 <= canary.length; at++) {
          assert.equal(shown.includes(canary.slice(at, at + 4)), false, shown);
        }
        assert.match(shown, /^The answer could not be read: .* \(a\.ts\)$/s);
      }
    });

    it('keeps ordinary words', () => {
      for (const text of [
        'POST /v1/messages/batches 400 request-id req_1: requests.0.custom_id is too long',
        'msgbatch_01HkcTjaV5uDC8jWR4ZsDV8d at /home/user/.config/Code/User/globalStorage/managed-agents.managed-agents/submissions',
        'TypeError: x is not a function\n    at activate (/ext/dist/chunks/chunk-HPYRD746.cjs:1:2345)',
        `sha256 ${'0123456789abcdef'.repeat(4)} ${Buffer.from('An ordinary text of a picture').toString('base64')}`,
      ]) {
        assert.equal(redact(text), text);
      }
    });

    it('removes known keys beside them', () => {
      assert.equal(redact(`Cookie: a=b\n${encodeURIComponent(key)}!`, [key]), 'Cookie: [redacted]\n[redacted]!');
    });
  });

  it('does work in proportion to a text, in any encoding @ci', () => {
    for (const part of ['%25', '&#38;', '\\\\', 'YWFhYWFhYWFh', '=3D', '65,', 'authorization: ', 'sk-', '://a:', 'c2st']) {
      const work = (size: number) => workOf(() => redact(part.repeat(size / part.length), [key]));
      const [small, large] = [work(5_000), work(20_000)];
      assert.ok(large <= 5 * small + 1_000, `${part}: ${small} and ${large} calls`);
    }
  });
});
