import assert from 'node:assert/strict';
import { rewriteQuery } from '../../../../src/jsonl/querying/rewriteQuery';

describe('jsonl/querying/rewriteQuery', () => {
  for (const [old, current] of [
    ['state=failed', 'status=failed'],
    ['State : cut_short, "refused" and out>5', 'status : cut_short, "refused" and out>5'],
    ['not (state!=succeeded or state~fail)', 'not (status!=succeeded or status~fail)'],
    ['reason=max_tokens', 'stop=max_tokens'],
    ['attention=any', 'status!=succeeded'],
    ['needs != look', 'status=succeeded'],
    ['needs:none', 'status=succeeded'],
    ['attention<>nothing', 'status!=succeeded'],
    ['attention=failed', 'status=failed,expired,canceled,other'],
    ['attention = failed,cut_short', 'status=failed,expired,canceled,other,cut_short'],
    ['attention=cut_short,refused,empty,failed', 'status!=succeeded'],
    ['attention=any,none', 'status=cut_short,refused,empty,failed,expired,canceled,other,succeeded'],
  ] as const) {
    it(`rewrites ${old}`, () => {
      assert.equal(rewriteQuery(old), current);
      assert.equal(rewriteQuery(current), current);
    });
  }

  it('leaves texts, patterns, plain words and fields of the answers alone', () => {
    for (const query of [
      ...['status=failed', 'state', 'the state of it', '$.state=x', 'fields.reason=y', 'restate=1', 'my-state=1'],
      ...['text~"state=failed"', "text~'needs=look'", 'text~/state=\\/x/i', 'id~a,/reason=b/', '"unclosed state'],
    ]) {
      assert.equal(rewriteQuery(query), query);
    }
  });
});
