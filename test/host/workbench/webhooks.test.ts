import assert from 'node:assert/strict';
import { WebhookPlace } from '../../helpers/webhookPlace';
import { eventuallyHolds } from '../eventually';
import { picker } from '../quickInputs.mjs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, offers, Questions } from './questions';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0015';
const dialog = '.monaco-dialog-box';
const secretBox = `${picker} input[type="password"]`;
/** The test vector that libraries of the standard share. */
const delivery = [
  'webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp: 1614265330',
  'webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  '',
  '{"test": 2432232314}',
].join('\n');

describe('webhooks in the Resources view @nightly', () => {
  const emulator = useEmulator({ key });
  const client = useClient(emulator);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()), files: { 'delivery.http': delivery } }));
  const questions = new Questions(workbench);
  const place = new WebhookPlace();
  let own = '';

  before('show the view, and listen', async () => {
    own = await place.open();
    await workbench().setKey(key);
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Resources');
  });
  after('stop listening', () => place.close());

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const line = (text: string) => workbench().page.locator('.editor-group-container.active .view-line', { hasText: text }).first();

  it('says offline what is wrong with a delivery', async () => {
    await workbench().runCommand('Managed Agents: Verify Webhook Delivery', asks('Where are its headers and its body?'));
    await questions.choose('Where are its headers and its body?', 'In a File...', asks('Verify the delivery in which file?'));
    await questions.choose('Verify the delivery in which file?', 'delivery.http', secretBox);
    const words = workbench().toast('The delivery is not valid, though its signature is right. It is');
    await questions.write('The signing secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', words);
    await eventuallyHolds(async () => assert.match(await words.innerText(), /days old: a receiver refuses what is older than 5 minutes/));
    await workbench().screenshot('webhooks-verify');
    await workbench().clearNotifications();
  });

  it('registers the receiver of this machine, and shows the secret once', async () => {
    const told = workbench().toast('Deliveries are taken at');
    await workbench().runCommand('Managed Agents: Start Webhook Receiver', told);
    await workbench().notificationButton('Deliveries are taken at', 'Register Webhook...');
    await questions.accept('Where are events delivered?', asks('What should it be called?'));
    await questions.write('What should it be called?', 'My receiver', asks('Of which events is it told?'));
    const search = workbench()
      .page.locator(`${asks('Of which events is it told?')} input[type="text"]`)
      .first();
    await workbench().untilSeen(offers('vault.created'), timeout => search.fill('vault.created', { timeout }));
    await questions.tick('vault.created');
    await questions.accept('Of which events is it told?', dialog);
    assert.match(await workbench().dialogText(), /whsec_[\w+/]{43}=/);
    await workbench().dialogButton('Keep in VS Code');
    await workbench().unfold('Webhooks', item(/^My receiver, 127\.0\.0\.1:\d+, 1 kind of event/));
    const [made] = (await client().webhooks.list()).items;
    assert.deepEqual(made?.enabled_events, ['vault.created']);
  });

  it('shows what was delivered, verified, opens it and sends it again', async () => {
    await client().vaults.create({ display_name: 'Keys' });
    await emulator().advanceClock(0);
    await item(/^vault\.created, verified/).waitFor();
    await workbench().pictures('webhooks-deliveries');
    await workbench().clickTreeRow('vault.created', '.tab.active:has-text("vault.created")');
    await line('webhook-signature').waitFor();
    await workbench().treeMenu('vault.created', 'Send Delivery Again', asks('To which address of this machine?'));
    await questions.write('To which address of this machine?', own, workbench().toast('took the delivery: it answered 200'));
    const [again] = place.taken;
    assert.equal(JSON.parse(again?.body ?? '{}').data.type, 'vault.created');
    await workbench().clearNotifications();
  });

  it('regenerates the signing secret after a question, and verifies with the one that is kept', async () => {
    await workbench().treeMenu('My receiver', 'Regenerate Signing Secret', dialog);
    assert.match(await workbench().dialogText(), /The old one is good for a while at most/);
    await workbench().screenshot('webhooks-regenerate');
    await workbench().dialogButton('Regenerate Secret');
    await workbench().waitFor(`${dialog}:has-text("The signing secret of My receiver")`);
    assert.match(await workbench().dialogText(), /whsec_[\w+/]{43}=/);
    await workbench().dialogButton('Keep in VS Code');
    await client().vaults.create({ display_name: 'More keys' });
    await emulator().advanceClock(0);
    const verified = workbench().page.getByRole('treeitem', { name: /^vault\.created, verified/ });
    await verified.nth(1).waitFor();
    assert.equal(
      await workbench()
        .page.getByRole('treeitem', { name: /^vault\.created/ })
        .count(),
      2,
    );
  });
});
