import assert from 'node:assert/strict';
import fc from 'fast-check';
import { concealed } from '../../../../src/client/transport/concealed';
import { runs } from '../../../helpers/runs';

const key = 'CANARY-k7/0123456789+ab=cdef';

describe('client/transport/concealed', () => {
  const forms: readonly (readonly [name: string, text: string])[] = [
    ['as it is', key],
    ['its first half', key.slice(0, 14)],
    ['its second half', key.slice(14)],
    ['eight characters of its middle', key.slice(9, 17)],
    ['percent-encoded', encodeURIComponent(key)],
    ['in hex', Buffer.from(key).toString('hex')],
    ['in upper case hex', Buffer.from(key).toString('hex').toUpperCase()],
    ['half of it in hex', Buffer.from(key.slice(0, 12)).toString('hex')],
    ['in Base64', Buffer.from(key).toString('base64')],
    ['in Base64 for addresses', Buffer.from(key).toString('base64url')],
  ];
  for (const [name, text] of forms) {
    it(`takes out a key ${name}`, () => {
      assert.match(concealed(`bad key ${text}, try again`, key), /^bad key \[key\](?:[A-Za-z0-9+/]{0,2}={0,2}), try again$/);
    });
  }

  it('takes it out of Base64 wherever it stands in what was encoded', () => {
    for (const before of ['', 'u', 'us', 'user:', 'user:x']) {
      const encoded = Buffer.from(`${before}${key}:after`).toString('base64');
      const shown = concealed(encoded, key);
      assert.match(shown, /\[key\]/);
      assert.equal(Buffer.from(shown.replace('[key]', ''), 'base64').includes('0123'), false);
    }
  });

  it('leaves other words, shorter parts, and short keys that are words', () => {
    const text = `POST /v1/messages 400: ${key.slice(0, 7)}... is no key`;
    assert.equal(concealed(text, key), text);
    assert.equal(concealed('the key', 'key'), 'the key');
    assert.equal(concealed('the pass of 4', 'pass'), 'the [key] of 4');
    assert.equal(concealed(text, undefined), text);
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
});
