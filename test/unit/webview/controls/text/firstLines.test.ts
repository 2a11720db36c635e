import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { firstLines } from '../../../../../src/webview/controls/text/firstLines';
import { runs } from '../../../../helpers/runs';

describe('webview/controls/text/firstLines', () => {
  it('counts the lines that it leaves out, and never leaves out just a few', async () => {
    await fc.assert(
      fc.property(fc.array(fc.constantFrom('', 'a', 'bc'), { minLength: 1, maxLength: 30 }), fc.boolean(), (lines, isEnded) => {
        const text = lines.join('\n') + (isEnded ? '\n' : '');
        const shown = firstLines(text, 10);
        if (shown.more === 0) {
          assert.equal(shown.text, text);
          assert.ok(lines.length <= 14);
        } else {
          assert.ok(shown.more > 3);
          assert.equal(shown.text, lines.slice(0, 10).join('\n'));
          assert.ok(lines.length - 10 - shown.more <= (text.endsWith('\n') && !isEnded ? 1 : 0));
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});
