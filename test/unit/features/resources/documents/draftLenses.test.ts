import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type DraftState, draftCommands } from '../../../../../src/features/resources/documents/draftLenses';

describe('features/resources/documents/draftLenses', () => {
  const uri = vscode.Uri.parse('managed-agents-resource:/Lab/edit/environment/env_1/Default.environment.json');
  const titles = (state: DraftState) => draftCommands(uri, state).map(({ title }) => title.replace(/^\$\([\w-]+\)\s*/u, ''));

  it('shows whether a document is published, and offers the acts on a draft', () => {
    assert.deepEqual(titles('published'), ['Published']);
    assert.deepEqual(titles('draft'), ['Draft, not published', 'Publish', 'Compare']);
    // The service has no version to compare with.
    assert.deepEqual(titles('new'), ['Draft, not published', 'Publish']);
    assert.deepEqual(titles(undefined), []);
  });

  it('acts on the document', () => {
    const [, publish, compare] = draftCommands(uri, 'draft');
    assert.deepEqual([publish?.command, publish?.arguments], ['managedAgents.publish', [uri]]);
    assert.deepEqual([compare?.command, compare?.arguments], ['managedAgents.compare', [uri]]);
  });
});
