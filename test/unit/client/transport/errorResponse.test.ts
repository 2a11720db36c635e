import assert from 'node:assert/strict';
import { errorKind, errorOutcome, readErrorBody } from '../../../../src/client/transport/errorResponse';

describe('client/transport/errorResponse', () => {
  const bodies: readonly (readonly [name: string, body: string, words: object])[] = [
    [
      'the contract',
      '{"type":"error","error":{"type":"not_found_error","message":"Not found"},"request_id":"req_1"}',
      { errorType: 'not_found_error', message: 'Not found', requestId: 'req_1' },
    ],
    ['a bare text under error', '{"error":"no such agent"}', { errorType: undefined, message: 'no such agent', requestId: undefined }],
    ['no outer type', '{"error":{"type":"not_found","message":"gone"}}', { errorType: 'not_found', message: 'gone', requestId: undefined }],
    [
      'a validation report',
      '{"success":false,"error":{"issues":[{"path":["a",0],"message":"Required"},{"message":"Bad"},{"code":"x"}],"name":"ZodError"}}',
      { errorType: undefined, message: 'a.0: Required; Bad; x', requestId: undefined },
    ],
    ['a gateway', '{"message":"no Route matched","code":"E1"}', { errorType: 'E1', message: 'no Route matched', requestId: undefined }],
    ['a problem document', '{"title":"Forbidden","detail":"not you"}', { errorType: undefined, message: 'not you', requestId: undefined }],
    ['plain text', '404 page not found\n', { message: '404 page not found' }],
    ['a JSON text', '"nope"', { message: 'nope' }],
    ['a page', '<!DOCTYPE html>\n<html><head><title> 502 Bad\n Gateway </title></head><body>nginx</body>', { message: '502 Bad Gateway' }],
    ['a page without title', '<html><body><h1>Oops</h1>', { message: 'Oops' }],
    ['a page without words', '<html><body></body></html>', { message: undefined }],
    ['nothing', '', { message: undefined }],
    ['a list', '[]', { message: undefined }],
  ];
  for (const [name, body, words] of bodies) {
    it(`finds the message in ${name}`, () => {
      assert.deepEqual(readErrorBody(body), words);
    });
  }

  it('makes the message safe: one line, no control or bidirectional characters, at most 500 characters', () => {
    const { message = '' } = readErrorBody(JSON.stringify({ error: { message: `a\u001b[31mb\u202ec\nd${'x'.repeat(1000)}` } }));
    assert.ok(message.startsWith('a\\u{1b}[31mb\\u{202e}c dx'), message);
    assert.equal(Array.from(message).length, 500);
  });

  const kinds: readonly (readonly [status: number, type: string | undefined, kind: string])[] = [
    [400, 'invalid_request_error', 'invalid_request'],
    [401, 'authentication_error', 'authentication'],
    [400, 'authentication_error', 'authentication'],
    [402, 'billing_error', 'billing'],
    [403, 'permission_error', 'permission'],
    [404, 'not_found_error', 'not_found'],
    [405, 'invalid_request_error', 'invalid_request'],
    [405, undefined, 'other_status'],
    [408, undefined, 'timeout'],
    [409, 'invalid_request_error', 'conflict'],
    [409, 'conflict_error', 'conflict'],
    [413, 'invalid_request_error', 'request_too_large'],
    [422, undefined, 'invalid_request'],
    [429, 'rate_limit_error', 'rate_limit'],
    [500, 'api_error', 'api'],
    [500, 'overloaded_error', 'overloaded'],
    [502, undefined, 'api'],
    [504, 'timeout_error', 'timeout'],
    [529, undefined, 'overloaded'],
    [418, 'teapot_error', 'other_status'],
    [404, 'a_type_of_next_year', 'not_found'],
  ];
  for (const [status, type, kind] of kinds) {
    it(`maps ${status} with type ${type} to ${kind}`, () => {
      assert.equal(errorKind(status, type), kind);
    });
  }

  it('trusts any JSON error of a read about what exists or is allowed', () => {
    const bodies = ['{"detail":"Not found."}', '{"error":"nope"}', '{"message":"locked","code":"E1"}'];
    const outcomes = (statuses: readonly number[], texts: readonly string[], creates: boolean) => [
      ...new Set(statuses.flatMap(status => texts.map(body => errorOutcome(status, false, body, creates)))),
    ];
    assert.deepEqual(outcomes([403, 404, 409, 410, 412, 413], bodies, false), ['refused']);
    assert.deepEqual(outcomes([403, 404, 409, 410, 412, 413], bodies, true), ['unknown']);
    assert.deepEqual(outcomes([403, 404, 409], ['<html>', 'no', '[]', '{}', ''], false), ['unknown']);
    assert.deepEqual(outcomes([301, 408, 421, 425, 499, 500, 502, 504], bodies, false), ['unknown']);
  });

  it('knows which responses prove that nothing was done', () => {
    const own = ['{"type":"error","error":{"type":"any_error","message":"No"}}', '{"success":false,"error":{"issues":[]}}'];
    const others = ['<html><title>Forbidden</title>', 'Conflict', '{"message":"no Route matched"}', '{"error":"nope"}', '[]', ''];
    const outcomes = (statuses: readonly number[], bodies: readonly string[], hasRetryAfter = false) => [
      ...new Set(statuses.flatMap(status => bodies.map(body => errorOutcome(status, hasRetryAfter, body, true)))),
    ];
    assert.deepEqual(outcomes([400, 403, 404, 408, 409, 413, 421, 422, 425, 499], own), ['refused']);
    assert.deepEqual(outcomes([301, 302, 303, 307, 308, 403, 404, 408, 409, 413, 421, 425, 499], others), ['unknown']);
    assert.deepEqual(outcomes([301, 303, 500, 502, 503, 504, 520, 599], [...own, ...others]), ['unknown']);
    assert.deepEqual(outcomes([401, 429, 529], own), ['refused']);
    assert.deepEqual(outcomes([503], own, true), ['refused']);
    const words = ['{"detail":"max_tokens: not a number"}', '{"error":"nope"}'];
    assert.deepEqual(outcomes([401, 405, 411, 415], words), ['refused']);
    assert.deepEqual(outcomes([400, 402, 422], words), ['unknown'], 'can be told after the work was done');
    assert.deepEqual(outcomes([400, 422], ['{"detail":[{"loc":["body","name"],"msg":"Field required","type":"missing"}]}']), ['refused']);
    assert.deepEqual(outcomes([422], ['{"detail":[]}', '{"detail":[{"msg":"no"}]}']), ['unknown']);
    assert.equal(errorOutcome(400, false, words[0] ?? '', false), 'refused', 'where nothing is made');
    assert.deepEqual(outcomes([400, 401, 422], ['<html>', 'Bad Request']), ['unknown']);
    assert.equal(errorOutcome(500, true, own[0] ?? ''), 'unknown');
  });

  it("never treats a gateway's page as a rejected create, with any status and Retry-After", () => {
    const pages = [
      '<html><title>Too Many Requests</title>',
      'slow down',
      '{"message":"API rate limit exceeded"}',
      '{"error":"quota"}',
      '[]',
      '',
    ];
    for (const status of [429, 503, 529]) {
      for (const body of pages) {
        assert.equal(errorOutcome(status, true, body, true), 'unknown', `${status} ${body}`);
        assert.equal(errorOutcome(status, true, body), 'refused', `${status} ${body} where nothing is made`);
      }
    }
  });

  it('finds the text of a page in linear time, with any unclosed tags', () => {
    let reads = 0;
    const indexOf = String.prototype.indexOf;
    String.prototype.indexOf = function (this: string, ...args: [string, number?]) {
      reads++;
      return indexOf.apply(this, args);
    };
    try {
      assert.equal(readErrorBody(`<html>${'<h1'.repeat(22_000)}`).message, undefined);
    } finally {
      String.prototype.indexOf = indexOf;
    }
    assert.ok(reads < 10, `${reads} searches`);
  });
});
