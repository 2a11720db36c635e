import assert from 'node:assert/strict';
import { resultTexts } from '../../../../../src/features/results/table/tableText';
import type { ResultEntry } from '../../../../../src/jsonl/results/resultsReport';

const entry: ResultEntry = {
  ...{ row: 0, customId: '=cmd|calc', line: 4, status: 'cut_short', stopReason: 'max_tokens', errorType: undefined },
  ...{ inputTokens: 12, outputTokens: 345, offset: 0, length: 10 },
};

const { head, toTsv, toJsonRow } = resultTexts;

describe('features/results/panel/tableText', () => {
  it('writes rows that a spreadsheet reads as text, each on one line', () => {
    assert.equal(head, 'line\tcustom_id\tstatus\tstop_reason\terror_type\tinput_tokens\toutput_tokens\tfirst_words\n');
    assert.match(toTsv(entry, ' \n=1'), /\t' {2}=1\n$/);
    assert.match(toTsv(entry, '\uff1d1'), /\t'\uff1d1\n$/);
    assert.equal(toTsv(entry, '+1\tand\r\nmore'), "5\t'=cmd|calc\tcut short\tmax_tokens\t\t12\t345\t'+1 and more\n");
  });

  it('writes rows as JSON with what is not there as null', () => {
    assert.deepEqual(JSON.parse(toJsonRow({ ...entry, line: -1 }, 'Words')), {
      ...{ line: null, custom_id: '=cmd|calc', status: 'cut short', stop_reason: 'max_tokens', error_type: null },
      ...{ input_tokens: 12, output_tokens: 345, first_words: 'Words' },
    });
  });
});
