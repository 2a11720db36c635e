import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { toPageHtml } from '../../../../../src/features/batches/details/markdownPage';

const state = { connection: '"<b>&', batchId: 'b1' };
const html = toPageHtml('<h1>A</h1>', state, 'Batch of "<i>');
const nonce = /<script nonce="([\w-]+)">/.exec(html)?.[1] ?? assert.fail(html);

/** Runs the page's script with a saved state. Returns the new state and the scroll position. */
function open(saved: object | undefined) {
  const done = { saved, scrolled: undefined as number | undefined };
  const listeners = new Map<string, () => void>();
  const page = {
    acquireVsCodeApi: () => ({ getState: () => done.saved, setState: (state: object) => Object.assign(done, { saved: state }) }),
    document: { body: { dataset: { state: JSON.stringify(state) } } },
    scrollTo: (_: number, top: number) => Object.assign(done, { scrolled: top }),
    scrollY: 70,
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
  };
  runInNewContext(/<script nonce="[\w-]+">([\s\S]*)<\/script>/.exec(html)?.[1] ?? assert.fail(html), page);
  return { done, fire: (name: string) => listeners.get(name)?.() };
}

describe('features/batches/details/pageHtml', () => {
  it('runs and loads only content with its nonce, and renders no markup from title or state', () => {
    const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
    assert.ok(html.includes(`content="${policy}"`), html);
    assert.match(html, /<title>Batch of &quot;&lt;i><\/title>/);
    assert.doesNotMatch(html, /<b>|<i>/);
  });

  it('stores its state and scroll position for a reload', () => {
    const first = open(undefined);
    assert.deepEqual({ ...first.done.saved }, state);
    assert.equal(first.done.scrolled, 0);
    first.fire('scrollend');
    assert.deepEqual({ ...first.done.saved }, { ...state, scrolled: 70 });
    assert.equal(open(first.done.saved).done.scrolled, 70);
  });
});
