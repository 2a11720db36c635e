import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completeQuery } from '../../../../src/jsonl/querying/completeQuery';
import { parseQuery, QueryError } from '../../../../src/jsonl/querying/parseQuery';
import { runs } from '../../../helpers/runs';

describe('jsonl/querying/parseQuery', () => {
  const query = (text: string) => parseQuery(text);
  const problem = (text: string) => {
    try {
      parseQuery(text);
    } catch (error) {
      assert.ok(error instanceof QueryError);
      const { start, end, message } = error;
      return { at: text.slice(start, end), start, words: message };
    }
    return assert.fail(`"${text}" was understood`);
  };

  it('parses what people write', () => {
    assert.deepEqual(query('  '), { kind: 'all' });
    const status = { kind: 'text', field: 'status', test: { kind: 'whole', values: ['failed'] } };
    const credit = { kind: 'text', field: 'error', test: { kind: 'part', lower: 'credit' } };
    for (const text of [
      'status=errored and error~"credit"',
      'status = error  error~credit',
      'state:errored message:CREDIT',
      '(state == "errored") && error_type ~ \'Credit\'',
      'state~errored AND error:credit',
    ]) {
      assert.deepEqual(query(text), { kind: 'and', parts: [status, credit] }, text);
    }
    assert.deepEqual(query('out_tokens>4k'), { kind: 'number', field: 'out', ranges: [{ from: 4001, to: Number.POSITIVE_INFINITY }] });
    assert.deepEqual(query('line=100..2_00,5'), {
      kind: 'number',
      field: 'line',
      ranges: [
        { from: 100, to: 200 },
        { from: 5, to: 5 },
      ],
    });
    assert.deepEqual(query('id~/^eval-\\d\\/[/]x$/i'), {
      kind: 'text',
      field: 'id',
      test: { kind: 'pattern', pattern: /^eval-\d\/[/]x$/i },
    });
    assert.deepEqual(query('stop=max_tokens,Refusal'), {
      kind: 'text',
      field: 'stop',
      test: { kind: 'whole', values: ['max_tokens', 'refusal'] },
    });
    assert.deepEqual(query('reason=max_tokens'), query('stop=max_tokens'));
    assert.match(problem('x and state=lok').words, /Unknown status "lok"/);
    assert.deepEqual(query('id=A_b'), { kind: 'text', field: 'id', test: { kind: 'whole', values: ['A_b'] } });
  });

  it('binds not before and, and and before or', () => {
    const word = (lower: string) => ({ kind: 'word', test: { kind: 'part', lower } });
    assert.deepEqual(query('a b or not (c or d) !e'), {
      kind: 'or',
      parts: [
        { kind: 'and', parts: [word('a'), word('b')] },
        {
          kind: 'and',
          parts: [
            { kind: 'not', part: { kind: 'or', parts: [word('c'), word('d')] } },
            { kind: 'not', part: word('e') },
          ],
        },
      ],
    });
    assert.deepEqual(query('text!~"a\\"b\\\\"'), {
      kind: 'not',
      part: { kind: 'text', field: 'text', test: { kind: 'part', lower: 'a"b\\' } },
    });
    assert.deepEqual(query('https://example.com/a:b "=x"'), { kind: 'and', parts: [word('https://example.com/a:b'), word('=x')] });
  });

  it('reports where it failed, what was expected, and what was meant', () => {
    assert.deepEqual(problem('a stat=errored'), {
      at: 'stat',
      start: 2,
      words: 'Unknown field "stat". Did you mean "status"?',
    });
    assert.match(problem('colour=red').words, /Unknown field "colour"\. Use one of status, stop, error, text/);
    assert.deepEqual(problem('status=erored'), {
      at: 'erored',
      start: 7,
      words: 'Unknown status "erored". Did you mean "failed"?',
    });
    assert.match(problem('status=blue').words, /Use one of succeeded, cut_short, refused, empty, failed, expired, canceled, other\./);
    assert.match(problem('status>errored').words, /Use one of =, != with status\./);
    assert.deepEqual([problem('out>').start, problem('out>').words], [4, 'A value is missing, such as out>100.']);
    assert.match(problem('out>many').words, /Use a number/);
    assert.match(problem('"abc').words, /Unclosed string/);
    assert.match(problem('id~/abc').words, /Unclosed pattern/);
    assert.match(problem('id~/a(/').words, /Invalid pattern: /);
    assert.match(problem('id~/a/g').words, /Use the flags/);
    assert.match(problem('(a').words, /Unclosed parenthesis/);
    assert.match(problem('a)').words, /Unexpected closing parenthesis/);
    assert.match(problem('a and').words, /Expected a condition/);
    assert.match(problem('or a').words, /Expected a condition/);
    assert.match(problem('=5').words, /Expected a condition/);
    assert.match(problem('a, b').words, /Use quotes for text with a comma/);
    assert.match(problem(`${'('.repeat(200)}a${')'.repeat(200)}`).words, /too long/);
    assert.match(problem('a '.repeat(6000)).words, /too long/);
  });

  it('parses or rejects any text, with positions inside it', () => {
    const piece = fc.constantFrom(
      ...['status', 'out', 'id', 'text', '=', '!=', '~', ':', '>', '(', ')', '"', "'", '/', '\\', ',', '!', ' ', 'and', 'or', 'not'],
      ...['errored', '12', '4k', '..', '&&', '||', '/a+/i', '[', '\u{1f600}', '\ud800', '\n'],
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map(parts => parts.join('')),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(text, fc.nat(40), (source, place) => {
        try {
          parseQuery(source);
        } catch (error) {
          assert.ok(error instanceof QueryError);
          assert.ok(0 <= error.start && error.start <= error.end && error.end <= source.length);
        }
        const { start, end } = completeQuery(source, Math.min(place, source.length));
        assert.ok(0 <= start && start <= end && end <= source.length);
      }),
      { numRuns: runs(1500) },
    );
  });
});
