import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findLinked, isLink, type Link, parseLink, printLink } from '../../../../src/features/links/linkForm';
import { anyCharacter } from '../../../helpers/anyCharacter';
import { runs } from '../../../helpers/runs';
import { assertLinear } from '../../../helpers/workOf';

/** Returns the URI that VS Code passes for a link. VS Code decodes path and query once. */
function toUri(link: string): Parameters<typeof parseLink>[0] {
  const [path = '', query = ''] = link.split('?');
  return { path: decodeURIComponent(path), query: decodeURIComponent(query) };
}

const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,60}$/);
const host = fc.oneof(
  fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,40}(?::[0-9]{1,5})?$/),
  fc.constantFrom('[::1]:8443', '[2001:db8::1]', 'xn--bcher-kva.example', 'emulator'),
);
const text = fc.string({
  unit: fc.oneof(fc.constantFrom('&', '=', '%', '+', '#', '?', ')', '%25', 'é', '漢', '🙂'), anyCharacter),
  maxLength: 60,
});
const link: fc.Arbitrary<Link> = fc
  .record(
    {
      kind: fc.constantFrom('session', 'batch', 'agent'),
      id,
      host,
      connection: text,
      event: id,
      customId: text,
      version: fc.integer({ min: 1, max: 999_999_999 }),
    },
    { requiredKeys: ['kind', 'id', 'host'] },
  )
  .map(({ kind, event, customId, version, ...shared }): Link => {
    switch (kind) {
      case 'session':
        return { kind, ...shared, ...(event !== undefined && { event }) };
      case 'batch':
        return { kind, ...shared, ...(customId !== undefined && { customId }) };
      default:
        return { kind: 'agent', ...shared, ...(version !== undefined && { version }) };
    }
  });

describe('features/links/linkForm', () => {
  it('formats readable links', () => {
    assert.equal(
      printLink({ kind: 'session', id: 'sesn_1', host: 'a.example:8443', connection: 'Lab', event: 'sevt_2' }),
      '/session/sesn_1?connection=Lab&host=a.example:8443&event=sevt_2',
    );
    assert.equal(printLink({ kind: 'batch', id: 'b', host: 'a.example', customId: 'r-1' }), '/batch/b?host=a.example&custom_id=r-1');
    assert.equal(printLink({ kind: 'agent', id: 'g', host: 'a.example', version: 3 }), '/agent/g?host=a.example&version=3');
  });

  it('parses its own links, after VS Code has decoded them', () => {
    let printed = 0;
    fc.assert(
      fc.property(link, one => {
        if (!isLink(one)) {
          return;
        }
        printed++;
        const shown = printLink(one);
        assert.match(shown, /^[\w/?=&%.:~-]+$/);
        assert.deepEqual(parseLink(toUri(shown)), one);
      }),
      { numRuns: runs(3000, 300) },
    );
    assert.ok(printed > 10, String(printed));
  });

  it('parses or rejects any text, and formats every parsed link', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '/session/',
        '/batch/b',
        'host=a.example',
        '&',
        '=',
        '%',
        '%2',
        '%E0',
        'event=',
        'version=1',
        '..',
        '/',
        '\u202e',
        '\0',
      ),
      fc.string(),
    );
    const pieces = fc.array(piece, { maxLength: 8 }).map(parts => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(pieces, fc.constant('/session/s')), pieces, (path, query) => {
        const read = parseLink({ path, query });
        if (read !== undefined) {
          assert.deepEqual(parseLink(toUri(printLink(read))), read);
        }
      }),
      { numRuns: runs(3000) },
    );
  });

  for (const [what, path, query] of [
    ['another kind', '/approve/sesn_1', 'host=a.example'],
    ['no id', '/session/', 'host=a.example'],
    ['a deeper path', '/session/s/approve', 'host=a.example'],
    ['nothing', '', ''],
  ] as const) {
    it(`ignores ${what}`, () => assert.equal(parseLink({ path, query }), undefined));
  }

  for (const [what, path, query] of [
    ['no host', '/session/s', 'connection=Lab'],
    ['an empty host', '/session/s', 'host='],
    ['a host with a path', '/session/s', 'host=a.example/evil'],
    ['a host with a user', '/session/s', 'host=key@a.example'],
    ['a host of other letters', '/session/s', 'host=аpi.example'],
    ['two hosts', '/session/s', 'host=a.example&host=b.example'],
    ['an id that climbs', '/session/..', 'host=a.example'],
    ['an id with spaces', '/session/s s', 'host=a.example'],
    ['an id with a line break', '/session/s\ns', 'host=a.example'],
    ['an id that turns', '/session/s\u202es', 'host=a.example'],
    ['an id that is too long', `/session/${'s'.repeat(201)}`, 'host=a.example'],
    ['a path that is too long', `/session/${'s'.repeat(2_000)}`, 'host=a.example'],
    ['a query that is too long', '/session/s', `host=a.example&x=${'x'.repeat(4_000)}`],
    ['an event that turns', '/session/s', 'host=a.example&event=%E2%80%AE'],
    ['an empty event', '/session/s', 'host=a.example&event='],
    ['a custom id that hides', '/batch/b', 'host=a.example&custom_id=a\u200bb'],
    ['a custom id with half a character', '/batch/b', 'host=a.example&custom_id=\ud83d'],
    ['a custom id that is too long', '/batch/b', `host=a.example&custom_id=${'x'.repeat(257)}`],
    ['a connection with an escape', '/batch/b', 'host=a.example&connection=\u001b[31m'],
    ['an escape that is none', '/batch/b', 'host=a.example&custom_id=%zz'],
    ['version 0', '/agent/a', 'host=a.example&version=0'],
    ['a version that is no number', '/agent/a', 'host=a.example&version=1e3'],
  ] as const) {
    it(`rejects ${what}`, () => assert.equal(parseLink({ path, query }), undefined));
  }

  it('ignores fields that VS Code adds', () => {
    assert.deepEqual(parseLink({ path: '/session/s', query: 'windowId=_blank&host=a.example&' }), {
      kind: 'session',
      id: 's',
      host: 'a.example',
    });
  });

  it('parses in linear time', () => {
    for (const piece of ['%', '&', 'host=', '/session/', '%41']) {
      assertLinear(count => () => parseLink({ path: '/session/s', query: piece.repeat(count) }));
      assertLinear(count => () => parseLink({ path: piece.repeat(count), query: '' }));
    }
  });
});

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
