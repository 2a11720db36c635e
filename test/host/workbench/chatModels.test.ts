import assert from 'node:assert/strict';
import { connectedTo, useEmulator } from './emulator';
import { useWorkbench } from './workbench';

const key = 'key-of-the-chat-model-tests';
const dialog = '.monaco-dialog-box:has-text("use the models of")';

describe('models of a service that charges @newest', () => {
  const emulator = useEmulator({ key });
  const workbench = useWorkbench(() => ({ settings: { ...connectedTo(emulator()), 'managedAgents.ai.models': true } }));
  const posts = () => emulator().requests.filter(({ method }) => method === 'POST').length;

  before('give the key', () => workbench().setKey(key));

  it('answer another extension after the user agreed in a dialog that names the host, and not before @ci', async () => {
    const w = workbench();
    const asking = w.askModel('[emulate: text Agreed.]');
    await w.waitFor(dialog);
    assert.ok((await w.dialogText()).includes(new URL(emulator().url).host));
    await w.screenshot('chat-consent');
    assert.equal(posts(), 0);
    await w.dialogButton("Don't Allow");
    assert.match(await asking, /Requests to models of "Lab" aren't allowed/);
    assert.match(await w.askModel('Hi'), /Requests to models of "Lab" aren't allowed/);
    assert.equal(posts(), 0);

    await w.setSetting('managedAgents.ai.models', false);
    await w.setSetting('managedAgents.ai.models', true);
    const again = w.askModel('[emulate: text Agreed.]');
    await w.waitFor(dialog);
    await w.dialogButton(/^Allow$/);
    assert.equal(await again, 'Agreed.');
    assert.equal(await w.askModel('[emulate: text Again.]'), 'Again.');
    assert.equal(posts(), 2);
  });
});
