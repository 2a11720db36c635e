import assert from 'node:assert/strict';
import { fromWebviewSchema } from '../../../../src/shared/session/fromSessionSchema';
import type { FromWebview } from '../../../../src/shared/session/sessionProtocol';

type Type = FromWebview['type'];
/** Messages with every field, to show that the schema accepts them all. */
const messages: { readonly [T in Type]: Required<Extract<FromWebview, { readonly type: T }>> } = {
  ready: { type: 'ready' },
  keep: { type: 'keep' },
  openThread: { type: 'openThread', thread: '' },
  send: { type: 'send', clientId: 'c', text: 'Hello', files: [{ id: 'f1', as: 'upload' }] },
  composing: { type: 'composing' },
  findFiles: { type: 'findFiles', query: 'src/a' },
  attachFile: { type: 'attachFile', id: 'f1', as: 'text' },
  detachFile: { type: 'detachFile', id: 'f1' },
  listPrompts: { type: 'listPrompts' },
  readPrompt: { type: 'readPrompt', name: 'review' },
  chooseRunThread: { type: 'chooseRunThread', run: 'wrun_1', phase: 'build' },
  interrupt: { type: 'interrupt', thread: 't' },
  defineOutcome: { type: 'defineOutcome', clientId: 'c', description: 'd', rubric: 'r', maxIterations: 3 },
  confirm: { type: 'confirm', clientId: 'c', eventId: 'e', result: 'deny', denyMessage: 'no', shown: 'a'.repeat(64) },
  makeRule: { type: 'makeRule', eventId: 'e' },
  customResult: { type: 'customResult', clientId: 'c', eventId: 'e', text: '', isError: false },
  customResultFromFile: { type: 'customResultFromFile', clientId: 'c', eventId: 'e' },
  loadPart: { type: 'loadPart', thread: '', key: 'k', path: 'result.0' },
  openPart: { type: 'openPart', thread: '', key: 'k', path: 'ask' },
  openRaw: { type: 'openRaw', thread: '', key: 'k' },
  openChange: { type: 'openChange', thread: '', key: 'k' },
  openAskedChange: { type: 'openAskedChange', eventId: 'e' },
  openInWorkspace: { type: 'openInWorkspace', thread: 't', key: 'k' },
  startAgain: { type: 'startAgain', key: 'k' },
  copyLink: { type: 'copyLink', key: 'k' },
  search: { type: 'search', thread: '', query: 'q' },
  openLink: { type: 'openLink', href: 'https://example.com' },
  openAgent: { type: 'openAgent' },
  manageResources: { type: 'manageResources' },
  changeBudget: { type: 'changeBudget' },
  openCreatedFile: { type: 'openCreatedFile', id: 'file_1' },
  downloadCreatedFile: { type: 'downloadCreatedFile', id: 'file_1' },
  fixCredential: { type: 'fixCredential', thread: '', key: 'k' },
  copyText: { type: 'copyText', text: 'x' },
  copyRow: { type: 'copyRow', thread: '', key: 'sevt_1' },
  export: { type: 'export', thread: '', filter: { shown: 'errors', query: 'x' } },
  retryNow: { type: 'retryNow' },
  viewAt: { type: 'viewAt', thread: '', seq: 7 },
};

describe('shared/session/fromSessionSchema', () => {
  for (const message of Object.values(messages)) {
    it(`accepts ${message.type} without extra fields`, () => {
      assert.deepEqual(fromWebviewSchema.parse(message), message);
      assert.equal(fromWebviewSchema.safeParse({ ...message, command: 'workbench.action.quit' }).success, false);
    });
  }

  it("rejects what isn't a message of the protocol", () => {
    for (const message of [
      undefined,
      null,
      'ready',
      [],
      {},
      { type: 'runCommand', command: 'x' },
      { type: 'openPart', thread: '', key: 'k', path: '../../x' },
      { type: 'openPart', thread: '', key: 'k', path: 'result.-1' },
      { type: 'confirm', clientId: 'c', eventId: '', result: 'allow' },
      { type: 'confirm', clientId: 'c', eventId: 'e', result: 'always' },
      { type: 'confirm', clientId: 'c', eventId: 'e', result: 'allow', shown: '' },
      { type: 'viewAt', thread: '', seq: 1.5 },
      { type: 'viewAt', thread: '', seq: -1 },
      { type: 'send', clientId: 'c', text: 'x'.repeat(1_000_001) },
      { type: 'openThread', thread: 'x'.repeat(513) },
      { type: 'openLink', href: 'x'.repeat(8193) },
      { type: 'openCreatedFile', id: '' },
      { type: 'manageResources', authorization_token: 'x' },
      { type: 'changeBudget', amount: '1' },
    ]) {
      assert.equal(fromWebviewSchema.safeParse(message).success, false, JSON.stringify(message)?.slice(0, 100));
    }
  });
});
