import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// Imports the lint from its own file instead of bundling it, because the lint also runs alone.
const lint = pathToFileURL(path.resolve('test/lint/comments.mjs')).href;

describe('project/english', () => {
  it('has comments without detectable faults: node test/lint/sampleComments.mjs prints a sample to read', async () => {
    const { listComments, faultsOf } = (await import(lint)) as typeof import('../../lint/comments.mjs');
    const faults = listComments(process.cwd(), ['src', 'test']).flatMap(({ file, line, text }) =>
      faultsOf(text).map(fault => `${file}:${line} ${fault}: ${text}`),
    );
    assert.deepEqual(faults, []);
  });
});
