import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ReadonlyDocuments } from '../../../src/common/documents/readonlyDocuments';
import { eventuallyHolds } from '../eventually';

const scheme = 'managed-agents-test-readonly';

/** Provider that changes a document's text while VS Code opens the document. */
class ChangingWhileOpening extends ReadonlyDocuments {
  private hasChanged = false;

  override provideTextDocumentContent(uri: vscode.Uri): string {
    const text = super.provideTextDocumentContent(uri);
    if (!this.hasChanged) {
      this.hasChanged = true;
      queueMicrotask(() => this.update(uri, 'what is true'));
    }
    return text;
  }
}

describe('common/documents/readonlyDocuments', () => {
  it('show a change that happened while the document was opening', async () => {
    const documents = new ChangingWhileOpening(scheme, () => 'lost');
    try {
      const shown = await vscode.workspace.openTextDocument(documents.create('changing.txt', 'what was true'));
      await eventuallyHolds(() => assert.equal(shown.getText(), 'what is true'));
    } finally {
      documents.dispose();
    }
  });
});
