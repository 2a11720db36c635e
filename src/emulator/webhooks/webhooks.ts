import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { deploymentEventTypes, webhookEventTypes } from '../../contract/webhookEventTypes';
import { invalidRequest } from '../http/apiError';
import { kindRoutes, type Route } from '../http/kindRoutes';
import { toTime, toWire, type WireObject } from '../http/toWire';
import { RecordStore, randomId, recordShape, type StoreContext } from '../state/recordStore';

/** Event as delivered by webhooks: its type, the resource, and related ids. */
export interface WebhookEvent {
  readonly type: string;
  readonly id: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** Types whose names differ from the event types in a session's log (API facts, section 17). */
const otherNames = new Map([
  ['session.status_running', 'session.status_run_started'],
  ['session.status_idle', 'session.status_idled'],
  ['span.outcome_evaluation_end', 'session.outcome_evaluation_ended'],
]);

/** Returns the webhook events for an event of a session's log: none for most, two if the session waits for input. */
export function webhookEventsOf(sessionId: string, event: WireObject): readonly WebhookEvent[] {
  const type = otherNames.get(event.type) ?? event.type;
  const thread = event.session_thread_id;
  const more = type.startsWith('session.thread_') && typeof thread === 'string' ? { more: { session_thread_id: thread } } : {};
  const { stop_reason: stop } = event as { readonly stop_reason?: { readonly type?: string } };
  const waits = stop?.type === 'requires_action' && type === 'session.status_idled';
  return [
    ...(type.startsWith('session.') ? [{ type, id: sessionId, ...more }] : []),
    ...(waits ? [{ type: 'session.requires_action', id: sessionId }] : []),
  ];
}

const createWebhookSchema = z.object({
  url: z.string().refine(text => URL.canParse(text), { error: 'must be a valid URL' }),
  name: z.string().min(1).max(255),
  description: z.string().max(1024).optional(),
  enabled_events: z.array(z.enum([...webhookEventTypes, ...deploymentEventTypes])).min(1),
});
const updateWebhookSchema = createWebhookSchema
  .partial()
  .extend({ description: z.string().max(1024).nullish(), status: z.enum(['enabled', 'disabled']).optional() });

const recordSchema = z.object({
  ...recordShape,
  url: z.string(),
  name: z.string(),
  description: z.string(),
  enabledEvents: z.array(z.string()),
  disabledReason: z.string().nullable(),
  isEnabled: z.boolean(),
  secret: z.string(),
  /** Previous secret, which is also used for signatures until `until`. */
  oldSecret: z.object({ secret: z.string(), until: z.number() }).nullable(),
  /** Number of consecutive failed deliveries. A delivery fails if none of its attempts was accepted. */
  failed: z.number(),
  updatedAt: z.number(),
});
type WebhookRecord = Readonly<z.infer<typeof recordSchema>>;

interface Delivery {
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  readonly attempt: number;
}

/** Attempt with the status of its response. The status is `undefined` if there was no response. */
type DeliveryAttempt = Omit<Delivery, 'body'> & { readonly status: number | undefined };

// Durations in milliseconds. An old secret stays valid for `rotation`.
const rotation = 24 * 60 * 60 * 1000;
const answerTime = 10_000;
const shortestWait = 5_000;
const longestWait = 120_000;
const maxAttempts = 3;
const maxFailed = 10;
const maxAttemptsListed = 1000;

/** Webhook endpoints and their deliveries. The emulator calls only endpoints on this machine (API facts, section 17). */
export class Webhooks extends RecordStore<WebhookRecord> {
  /** Latest attempts, oldest first. */
  readonly attempts: DeliveryAttempt[] = [];
  readonly #ended = new AbortController();

  constructor(context: StoreContext) {
    super(context, { folder: 'webhooks', noun: 'Webhook', prefix: 'wh_', schema: recordSchema });
  }

  create({ url, name, description, enabled_events: enabledEvents }: z.infer<typeof createWebhookSchema>): WebhookRecord {
    checkUrl(url);
    const state = { disabledReason: null, isEnabled: true, secret: newSecret(), oldSecret: null, failed: 0 };
    return this.add({ url, name, description: description ?? '', enabledEvents, ...state });
  }

  update(id: string, params: z.infer<typeof updateWebhookSchema>): WebhookRecord {
    const old = this.get(id);
    if (params.url !== undefined) {
      checkUrl(params.url);
    }
    const isEnabled = params.status === undefined ? old.isEnabled : params.status === 'enabled';
    return this.change(old, {
      url: params.url,
      name: params.name,
      description: params.description === null ? '' : params.description,
      enabledEvents: params.enabled_events,
      isEnabled,
      disabledReason: isEnabled ? null : params.status === 'disabled' ? 'manual' : old.disabledReason,
      failed: params.status === 'enabled' ? 0 : old.failed,
    });
  }

  /** Creates a new secret. Deliveries are also signed with the previous secret for a day. */
  regenerate(id: string): string {
    const old = this.get(id);
    const secret = newSecret();
    this.change(old, { secret, oldSecret: { secret: old.secret, until: this.context.clock.now() + rotation } });
    return secret;
  }

  /**
   * Delivers an event to every endpoint that subscribed to it. Events that occur while an endpoint is disabled are never delivered to it.
   */
  notify({ type, id, more = {} }: WebhookEvent): void {
    for (const { id: webhookId, isEnabled, enabledEvents } of this.list()) {
      if (isEnabled && enabledEvents.includes(type)) {
        const eventId = `wevt_${randomId(24)}`;
        const data = { id, type, workspace_id: 'workspace_default', organization_id: 'organization_default', ...more };
        // With spaces, as observed on a service: serializing the body again would produce other bytes.
        const body = spaced({ id: eventId, data, type: 'event', created_at: toTime(this.context.clock.now()) });
        this.#attemptAt(this.context.clock.now(), { webhookId, eventId, type, body, attempt: 1 });
      }
    }
  }

  /** Ends all running deliveries. Called before the clock stops. */
  end(): void {
    this.#ended.abort();
  }

  #attemptAt(time: number, delivery: Delivery): void {
    this.context.clock.at(time, () => this.#attempt(delivery));
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { webhookId, eventId, type, body, attempt } = delivery;
    const webhook = this.find(webhookId);
    if (webhook === undefined || !webhook.isEnabled || this.#ended.signal.aborted) {
      return;
    }
    const now = this.context.clock.now();
    const old = webhook.oldSecret !== null && webhook.oldSecret.until > now ? [webhook.oldSecret.secret] : [];
    const headers = signedHeaders(eventId, Math.floor(now / 1000), body, [webhook.secret, ...old]);
    const status = await this.#post(webhook.url, headers, body);
    this.attempts.push({ eventId, webhookId, type, attempt, status });
    this.attempts.splice(0, this.attempts.length - maxAttemptsListed);
    const isTaken = status !== undefined && status >= 200 && status < 300;
    const isElsewhere = status !== undefined && status >= 300 && status < 400;
    if (isElsewhere) {
      this.#amend(webhookId, { isEnabled: false, disabledReason: 'redirect' });
    } else if (isTaken) {
      this.#amend(webhookId, { failed: 0 });
    } else if (attempt < maxAttempts) {
      this.#attemptAt(now + shortestWait + Math.random() * (longestWait - shortestWait), { ...delivery, attempt: attempt + 1 });
    } else {
      // Other deliveries may have failed in the meantime, so the count is read again.
      const failed = (this.find(webhookId)?.failed ?? 0) + 1;
      this.#amend(webhookId, failed >= maxFailed ? { failed, isEnabled: false, disabledReason: 'sustained_failure' } : { failed });
    }
  }

  #amend(id: string, change: Partial<WebhookRecord>): void {
    const record = this.find(id);
    if (record !== undefined) {
      this.put({ ...record, ...change });
    }
  }

  async #post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number | undefined> {
    if (!isOnThisMachine(new URL(url))) {
      return undefined;
    }
    try {
      const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(answerTime)]);
      const all = { 'content-type': 'application/json', ...headers };
      const response = await fetch(url, { method: 'POST', headers: all, body, redirect: 'manual', signal });
      await response.body?.cancel();
      return response.status;
    } catch {
      return undefined;
    }
  }
}

function toWebhook({ isEnabled, secret: _, oldSecret: __, failed: ___, ...shown }: WebhookRecord): object {
  return toWire('webhook', shown, { status: isEnabled ? 'enabled' : 'disabled' });
}

const secretPrefix = 'whsec_';

function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64');
}

/** Returns the headers of one attempt, with a signature for each valid secret. `seconds` is since 1970. */
function signedHeaders(id: string, seconds: number, body: string, secrets: readonly string[]): Readonly<Record<string, string>> {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}

function isOnThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

function checkUrl(text: string): void {
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOnThisMachine(url))) {
    throw invalidRequest('url must use https unless it leads to this machine');
  }
}

function spaced(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? `{${Object.entries(value)
        .map(([name, field]) => `${JSON.stringify(name)}: ${spaced(field)}`)
        .join(', ')}}`
    : JSON.stringify(value);
}

/** Returns the routes of `/v1/webhooks` and the paths below it (API facts, section 17). Only the call that creates a secret returns it. */
export function webhookRoutes(webhooks: Webhooks): readonly Route[] {
  return kindRoutes({
    name: 'webhooks',
    path: '/v1/webhooks',
    type: 'webhook',
    members: webhooks,
    show: toWebhook,
    update: async (exchange, id) => webhooks.update(id, await exchange.parsed(updateWebhookSchema)),
    acts: {
      create: async exchange => {
        const webhook = webhooks.create(await exchange.parsed(createWebhookSchema));
        return { ...toWebhook(webhook), signing_secret: webhook.secret };
      },
      regenerate_signing_secret: (_, id) => ({ signing_secret: webhooks.regenerate(id) }),
    },
  });
}
