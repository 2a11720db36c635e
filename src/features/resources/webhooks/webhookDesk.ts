import http from 'node:http';
import * as vscode from 'vscode';
import { askText } from '../../../common/asking/askSteps';
import { offer, showInformation, showWarning } from '../../../common/asking/notifications';
import { type AreaHandlers, commandLink } from '../../../common/commands';
import { setContextKey } from '../../../common/contextKeys';
import { copyText } from '../../../common/copyIds';
import { describeAge, type PresentationContext, type RowPresentation, toRow } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { TreeRow } from '../../../common/tree/nodeTree';
import type { DeliveryTarget } from '../../../contributions';
import { toLabel, toVisibleText } from '../../../shared/text';
import { runAct } from '../resourceActs';
import type { ResourceFlow } from '../resourceFlow';
import type { ResourcesNode } from '../resourcesTreeDataProvider';
import type { ResourcesView } from '../resourcesView';
import { type Verification, verifyDelivery } from './verifyDelivery';
import { verifyWebhookDelivery } from './verifyWebhookDelivery';
import { createWebhook, enableWebhook, regenerateSecret } from './webhookFlow';
import { type LocalDelivery, WebhookReceiver } from './webhookReceiver';
import { WebhookSecrets } from './webhookSecrets';

/** Local features for webhooks: the receiver, its deliveries and the commands. */
export class WebhookDesk {
  private readonly secrets: WebhookSecrets;
  private readonly flow: ResourceFlow;
  private receiver: WebhookReceiver | undefined;
  private resentTo = '';
  private known: readonly string[] = [];
  private readonly verified = new WeakMap<LocalDelivery, Verification>();

  constructor(
    private readonly view: Pick<ResourcesView, 'flow' | 'showLocal'>,
    { secrets, globalState }: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>,
  ) {
    this.secrets = new WebhookSecrets(secrets, globalState);
    this.flow = view.flow;
  }

  get commands(): AreaHandlers<'webhook' | 'delivery'> {
    const { flow } = this;
    return {
      'managedAgents.webhook.disable': target => runAct(flow, 'disable', target),
      'managedAgents.webhook.enable': target => enableWebhook(flow, target),
      'managedAgents.webhook.regenerateSecret': target => regenerateSecret(flow, this.secrets, target),
      'managedAgents.webhook.verify': file => verifyWebhookDelivery(this.secrets, file),
      'managedAgents.webhook.startReceiver': () => this.start(),
      'managedAgents.webhook.stopReceiver': () => this.stop(),
      'managedAgents.delivery.open': target => this.open(target),
      'managedAgents.delivery.resend': async target => {
        this.resentTo = await sendAgain(this.deliveryOf(target), this.resentTo);
      },
    };
  }

  /** Registers a webhook. Suggests the address of the receiver if it runs. */
  create(): Promise<void> {
    return createWebhook(this.flow, this.secrets, this.receiver?.url);
  }

  dispose(): void {
    this.stop();
  }

  /** Starts the receiver and shows its address, also if the receiver already runs. */
  private async start(): Promise<void> {
    const { t } = vscode.l10n;
    if (this.receiver === undefined) {
      const receiver = new WebhookReceiver(Date.now, () => void this.render());
      await receiver.start();
      this.receiver = receiver;
      setContextKey('managedAgents.webhookReceiverRunning', true);
    }
    await this.render();
    const { url } = this.receiver;
    // Not awaited, because the message outlives the command.
    void offer(
      showInformation,
      t('Listening at {0}. Remote services need a tunnel.', url),
      [t('Copy Address'), () => copyText(url)],
      [t('Register Webhook...'), () => this.create()],
    );
  }

  private stop(): void {
    this.receiver?.stop();
    this.receiver = undefined;
    setContextKey('managedAgents.webhookReceiverRunning', false);
    this.view.showLocal([]);
  }

  private async open(target: DeliveryTarget | undefined): Promise<void> {
    const delivery = this.deliveryOf(target);
    const uri = this.flow.files.snapshot(`${delivery.type || 'delivery'} ${delivery.key}.http`, toDeliveryText(delivery));
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  private deliveryOf(target: DeliveryTarget | undefined): LocalDelivery {
    const found = this.receiver?.deliveries.find(({ key }) => key === target?.deliveryKey);
    if (found === undefined) {
      throw new Error(vscode.l10n.t('Start the receiver and select a delivery in the Resources view.'));
    }
    return found;
  }

  private async render(): Promise<void> {
    this.known = await this.secrets.all();
    const { receiver } = this;
    if (receiver === undefined) {
      return;
    }
    const { t } = vscode.l10n;
    const children = receiver.deliveries.map(delivery => this.toNode(delivery));
    const label = t('Webhook Deliveries');
    const shown: TreeRow = {
      label,
      description: children.length === 0 ? t('None yet') : String(children.length),
      icon: 'inbox',
      color: undefined,
      abilities: 'webhookReceiver',
      spoken: label,
      tooltip: t('Listening at {0}', receiver.url),
      folding: 'expanded',
    };
    this.view.showLocal([{ key: 'webhookDeliveries', render: () => shown, below: () => children }]);
  }

  private toNode(delivery: LocalDelivery): ResourcesNode {
    const verification = this.verificationOf(delivery);
    const row = presentDelivery(delivery, verification, this.flow.presentation());
    const { current } = this.flow.service.connections;
    const session =
      delivery.sessionId === undefined || current === undefined ? {} : { connection: current.name, sessionId: delivery.sessionId };
    const shown: TreeRow = {
      ...row,
      tooltip: [row.spoken, ...(verification?.findings ?? [])].join('\n'),
      command: commandLink('managedAgents.delivery.open', vscode.l10n.t('Open Delivery'), { deliveryKey: delivery.key }),
      target: { deliveryKey: delivery.key, ...session },
    };
    return { key: `delivery ${delivery.key}`, render: () => shown };
  }

  /**
   * Returns the verification, or `undefined` if no secret is known. A valid result is cached, so it stays even if the secret is replaced.
   */
  private verificationOf(delivery: LocalDelivery): Verification | undefined {
    const before = this.verified.get(delivery);
    if (before !== undefined || this.known.length === 0) {
      return before;
    }
    const { translate } = this.flow.presentation();
    const verification = verifyDelivery(delivery, this.known, delivery.receivedAt, translate);
    if (verification.isValid) {
      this.verified.set(delivery, verification);
    }
    return verification;
  }
}

/** Returns the row of a delivery. `verification` is `undefined` if no secret is known to verify it with. */
export function presentDelivery(
  delivery: LocalDelivery,
  verification: Verification | undefined,
  context: PresentationContext,
): RowPresentation {
  const { translate } = context;
  const label = toLabel(delivery.type, 80) || translate('Unknown event type');
  const verdict = verification?.isValid === true ? translate('verified') : translate('not verified');
  const verified = verification === undefined ? translate('no signing secret') : verdict;
  const duplicate = delivery.isDuplicate ? translate('duplicate') : '';
  const age = describeAge(new Date(delivery.receivedAt).toISOString(), context);
  const isAmiss = verification?.isValid === false;
  return toRow(label, [verified, duplicate, age], {
    icon: isAmiss ? 'warning' : verification === undefined ? 'question' : delivery.isDuplicate ? 'copy' : 'verified',
    color: isAmiss ? 'list.warningForeground' : undefined,
    abilities: ['delivery', ...(delivery.sessionId === undefined ? [] : ['hasSession'])],
  });
}

/** Formats a delivery as a document that can be verified again: headers, an empty line, and the original body. */
export function toDeliveryText({ headers, body }: Pick<LocalDelivery, 'headers' | 'body'>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${toVisibleText(value).replace(/\n/g, ' ')}`);
  return `${lines.join('\n')}\n\n${Buffer.from(body).toString()}`;
}

// Maximum time to wait for the response, in milliseconds.
const responseTimeout = 10_000;
/** Headers that belong to the connection, not to the delivery. */
const ofConnection: ReadonlySet<string> = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);

/** Sends a delivery again, byte for byte, to an address of this machine that the user enters. Returns that address. */
export async function sendAgain(delivery: LocalDelivery, before: string): Promise<string> {
  const { t } = vscode.l10n;
  const text = await askText({
    title: t('Send Delivery Again'),
    prompt: t('Local address to send to'),
    value: before,
    placeholder: 'http://127.0.0.1:3000/hook',
    validate: address => addressProblem(address, t),
  });
  try {
    const status = await post(new URL(text), delivery);
    if (status >= 200 && status < 300) {
      void showInformation(t('Delivered to {0} ({1})', text, status));
    } else {
      void showWarning(t('Rejected by {0} ({1})', text, status));
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new Error(t("{0} couldn't be reached ({1}).", text, code), { cause: error });
  }
  return text;
}

function post(url: URL, { headers, body }: LocalDelivery): Promise<number> {
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(responseTimeout);
    const request = http.request(url, { method: 'POST', headers: { ...sent, 'content-length': body.byteLength }, signal }, response => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject);
    request.end(body);
  });
}

/** Explains why a delivery can't be sent to an address. Returns `undefined` for a valid address of this machine. */
export function addressProblem(text: string, translate: Translate): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHere =
    url?.protocol === 'http:' && (url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(url.hostname));
  return isHere ? undefined : translate('Enter a URL on this machine that starts with http://');
}
