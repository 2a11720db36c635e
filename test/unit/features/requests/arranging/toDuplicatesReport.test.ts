import assert from 'node:assert/strict';
import { toDuplicatesReport } from '../../../../../src/features/requests/arranging/arrangeRequests';
import { fillPlaceholders } from '../fillPlaceholders';

describe('features/requests/arranging/toDuplicatesReport', () => {
  it('counts duplicates, and lists groups with links to every line', () => {
    const { text, links } = toDuplicatesReport(
      'a.jsonl',
      {
        blank: 0,
        broken: { count: 0, first: [] },
        requests: 5000,
        repeats: { params: 30, request: 1, id: 2 },
        sameParams: [{ first: { line: 0, id: 'a' }, later: [{ line: 1999, id: undefined }], laterCount: 30 }],
        sameParamsGroups: 3,
        sameIds: [{ first: { line: 2, id: 'b' }, later: [{ line: 3, id: 'b' }], laterCount: 1 }],
        sameIdsGroups: 1,
      },
      fillPlaceholders,
      'en',
    );
    const lines = text.split('\n');
    assert.deepEqual(lines.slice(2, 6), ['Requests       5,000', 'Same params    30', '  and same ID  1', 'Same ID        2']);
    assert.ok(lines.includes('Lines with the same params: the first 1 of 3'));
    assert.ok(lines.includes('  1 (a), 2,000 and 29 more'));
    assert.ok(lines.includes('Lines with the same ID and different params'));
    assert.deepEqual(
      links.map(({ reportLine, start = 0, length, line }) => [lines[reportLine]?.slice(start, start + length), line]),
      [
        ['1', 0],
        ['2,000', 1999],
        ['3', 2],
        ['4', 3],
      ],
    );
  });
});
