import assert from 'node:assert/strict';
import { RowPages } from '../../../../src/webview/list/rowPages';

describe('webview/list/rowPages', () => {
  let asked: number[];
  let pages: RowPages<number>;
  const rows = (from: number) => Array.from({ length: 50 }, (_, at) => from + at);

  beforeEach(() => {
    asked = [];
    pages = new RowPages(
      () => 10_000,
      from => asked.push(from),
    );
  });

  it('requests few pages at a time, and then those that are needed by then', () => {
    pages.want(0, 200);
    assert.deepEqual(asked, [0, 50]);
    pages.want(5000, 5040);
    pages.keep(0, rows(0));
    assert.deepEqual(asked, [0, 50, 5000]);
    assert.deepEqual([pages.at(49), pages.at(50)], [49, undefined]);
  });

  it('requests nothing past the end', () => {
    pages.want(9990, 20_000);
    assert.deepEqual(asked, [9950]);
  });

  it('requests incomplete pages once more, and shows them meanwhile', () => {
    pages.want(0, 50);
    pages.keep(0, rows(0));
    pages.markIncomplete();
    assert.equal(pages.at(7), 7);
    pages.want(0, 50);
    pages.want(0, 50);
    assert.deepEqual(asked, [0, 0]);
  });

  it('keeps a limited number of pages, and none when the rows changed', () => {
    for (let from = 0; from < 10_000; from += 50) {
      pages.keep(from, rows(from));
    }
    assert.deepEqual([pages.at(0), pages.at(9999)], [undefined, 9999]);
    pages.clear();
    assert.equal(pages.at(9999), undefined);
  });
});
