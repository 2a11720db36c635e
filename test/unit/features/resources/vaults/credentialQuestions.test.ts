import assert from 'node:assert/strict';
import {
  hostsOf,
  hostsProblem,
  nameProblem,
  secretProblem,
  timeOf,
  urlProblem,
} from '../../../../../src/features/resources/vaults/credentialQuestions';
import { context } from '../presenting';

const { translate } = context;

describe('features/resources/vaults/credentialQuestions', () => {
  it('parses hosts as a service does, without duplicates', () => {
    assert.deepEqual(hostsOf(' a.example.com, *.b.example\n192.0.2.1,,a.example.com '), ['a.example.com', '*.b.example', '192.0.2.1']);
    for (const text of [
      'api.example.com',
      '*.example.com',
      '192.0.2.1',
      'localhost',
      Array(16)
        .fill(0)
        .map((_, n) => `h${n}.example`)
        .join(),
    ]) {
      assert.equal(hostsProblem(text, translate), undefined, text);
    }
    for (const text of ['', ' , ', '::1', 'https://a.com', 'a.com:443', 'a.com/path', '*', 'a.*.com', '-a.com', `${'a'.repeat(64)}.com`]) {
      assert.notEqual(hostsProblem(text, translate), undefined, text);
    }
    assert.match(
      hostsProblem(
        Array(17)
          .fill(0)
          .map((_, n) => `h${n}`)
          .join(),
        translate,
      ) ?? '',
      /^Use at most 16 hosts/,
    );
  });

  it('accepts server addresses without secrets', () => {
    assert.equal(urlProblem('https://mcp.example.com/mcp?x=1', translate), undefined);
    assert.match(urlProblem('https://me:secret@mcp.example.com', translate) ?? '', /Remove keys, user names/);
    for (const text of ['', 'mcp.example.com', 'ftp://x', `https://x/${'a'.repeat(2040)}`]) {
      assert.notEqual(urlProblem(text, translate), undefined, text.slice(0, 20));
    }
  });

  it('explains what is wrong with a secret without quoting it', () => {
    const secret = 'CANARY-input-77ab';
    assert.equal(secretProblem(secret, 100, translate), undefined);
    for (const text of ['', ` ${secret}`, `${secret}\n`, secret.repeat(10)]) {
      const problem = secretProblem(text, 100, translate);
      assert.ok(problem !== undefined && !problem.includes('CANARY'), text);
    }
  });

  it('accepts valid names and times', () => {
    assert.equal(nameProblem('a', translate), undefined);
    assert.notEqual(nameProblem('  ', translate), undefined);
    assert.notEqual(nameProblem('a'.repeat(256), translate), undefined);
    assert.equal(timeOf('2027-01-31T12:00:00Z'), '2027-01-31T12:00:00.000Z');
    assert.equal(timeOf(' 2027-01-31T12:00:00+02:00 '), '2027-01-31T10:00:00.000Z');
    for (const text of ['', 'tomorrow', '2027-13-01', '1', '12/31/2027']) {
      assert.equal(timeOf(text), undefined, text);
    }
  });
});
