import assert from 'node:assert/strict';
import { connectedTo, useEmulator } from './emulator';
import { useWorkbench } from './workbench';

const key = 'key-of-the-chat-model-tests';
const dialog = '.monaco-dialog-box:has-text("send requests to the models")';

describe('models of a service that costs', () => {
  const emulator = useEmulator({ key });
  const workbench = useWorkbench(() => ({ settings: { ...connectedTo(emulator()), 'managedAgents.ai.models': true } }));
  const posts = () => emulator().requests.filter(({ method }) => method === 'POST').length;

  before('give the key', () => workbench().setKey(key));

  it('answer no other extension before the person agreed, in a dialog that names the host, nor after they dismissed it', async () => {
    const w = workbench();
    const asking = w.askModel('[emulate: text Agreed.]');
    await w.waitFor(dialog);
    assert.ok((await w.dialogText()).includes(new URL(emulator().url).host));
    await w.screenshot('chat-consent');
    assert.equal(posts(), 0);
    await w.dialogButton("Don't Allow");
    assert.match(await asking, /You did not allow requests/);
    assert.match(await w.askModel('Hi'), /You did not allow requests/);
    assert.equal(posts(), 0);
  });

  it('answer once they agreed, and are asked about no more', async () => {
    const w = workbench();
    await w.setSetting('managedAgents.ai.models', false);
    await w.setSetting('managedAgents.ai.models', true);
    const asking = w.askModel('[emulate: text Agreed.]');
    await w.waitFor(dialog);
    await w.dialogButton(/^Allow$/);
    assert.equal(await asking, 'Agreed.');
    assert.equal(await w.askModel('[emulate: text Again.]'), 'Again.');
    assert.equal(posts(), 2);
  });
});
