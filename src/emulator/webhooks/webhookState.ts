import path from 'node:path';
import * as z from 'zod';
import { deploymentEventTypes, webhookEventTypes } from '../../client/schemas/webhooks';
import type { EmulatorClock } from '../emulatorClock';
import { invalidRequest } from '../http/apiError';
import { toTime } from '../http/wireTime';
import { randomId } from '../state/randomId';
import { RecordStore } from '../state/recordStore';
import { newSecret, signedHeaders } from './signDelivery';
import type { WebhookEvent } from './webhookEvents';

const nameSchema = z.string().min(1).max(255);
const eventsSchema = z.array(z.enum([...webhookEventTypes, ...deploymentEventTypes])).min(1);
const urlSchema = z.string().refine(text => URL.canParse(text), { error: 'must be a valid URL' });

export const createWebhookSchema = z.object({
  url: urlSchema,
  name: nameSchema,
  description: z.string().max(1024).default(''),
  enabled_events: eventsSchema,
});
export const updateWebhookSchema = z.object({
  url: urlSchema.optional(),
  name: nameSchema.optional(),
  description: z.string().max(1024).nullish(),
  enabled_events: eventsSchema.optional(),
  status: z.enum(['enabled', 'disabled']).optional(),
});

const recordSchema = z.object({
  id: z.string(),
  /** Position in the order of creation. */
  sequence: z.number(),
  url: z.string(),
  name: z.string(),
  description: z.string(),
  enabledEvents: z.array(z.string()),
  disabledReason: z.string().nullable(),
  isEnabled: z.boolean(),
  secret: z.string(),
  /** Previous secret, which also signs until then. */
  oldSecret: z.object({ secret: z.string(), until: z.number() }).nullable(),
  /** Number of consecutive deliveries of which no attempt was accepted. */
  failed: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type WebhookRecord = Readonly<z.infer<typeof recordSchema>>;

/** One attempt to deliver, for inspection. */
export interface DeliveryAttempt {
  readonly eventId: string;
  readonly webhookId: string;
  readonly type: string;
  readonly attempt: number;
  /** Status of the response. `undefined` if there was none. */
  readonly status: number | undefined;
}

// Durations in milliseconds. An old secret stays valid for `rotation`.
const rotation = 24 * 60 * 60 * 1000;
const answerTime = 10_000;
const shortestWait = 5_000;
const longestWait = 120_000;
const mostAttempts = 3;
const mostFailed = 10;
const keptAttempts = 1000;

/** Webhook endpoints and their deliveries. The emulator calls only endpoints on this machine (API facts, section 17). */
export class WebhookState {
  readonly #records: RecordStore<WebhookRecord>;
  readonly #clock: EmulatorClock;
  readonly #attempts: DeliveryAttempt[] = [];
  readonly #ended = new AbortController();

  private constructor(clock: EmulatorClock, records: RecordStore<WebhookRecord>) {
    this.#clock = clock;
    this.#records = records;
  }

  static async open(parts: { readonly folder: string | undefined; readonly clock: EmulatorClock }): Promise<WebhookState> {
    const folder = parts.folder === undefined ? undefined : path.join(parts.folder, 'webhooks');
    return new WebhookState(parts.clock, await RecordStore.open<WebhookRecord>(folder, recordSchema, 'Webhook'));
  }

  /** Latest attempts, oldest first. */
  get attempts(): readonly DeliveryAttempt[] {
    return this.#attempts;
  }

  /** Returns all endpoints, newest first. */
  list(): readonly WebhookRecord[] {
    return this.#records.list();
  }

  get(id: string): WebhookRecord {
    return this.#records.get(id);
  }

  create(params: z.infer<typeof createWebhookSchema>): WebhookRecord {
    checkUrl(params.url);
    const now = this.#clock.now();
    return this.#records.put({
      id: `wh_${randomId(24)}`,
      sequence: this.#records.nextSequence(),
      url: params.url,
      name: params.name,
      description: params.description,
      enabledEvents: params.enabled_events,
      disabledReason: null,
      isEnabled: true,
      secret: newSecret(),
      oldSecret: null,
      failed: 0,
      createdAt: now,
      updatedAt: now,
    });
  }

  update(id: string, params: z.infer<typeof updateWebhookSchema>): WebhookRecord {
    const old = this.get(id);
    if (params.url !== undefined) {
      checkUrl(params.url);
    }
    const isEnabled = params.status === undefined ? old.isEnabled : params.status === 'enabled';
    const reason = isEnabled ? null : params.status === 'disabled' ? 'manual' : old.disabledReason;
    return this.#records.put({
      ...old,
      url: params.url ?? old.url,
      name: params.name ?? old.name,
      description: params.description === undefined ? old.description : (params.description ?? ''),
      enabledEvents: params.enabled_events ?? old.enabledEvents,
      isEnabled,
      disabledReason: reason,
      failed: params.status === 'enabled' ? 0 : old.failed,
      updatedAt: this.#clock.now(),
    });
  }

  /** Creates a new secret. The previous one also signs for a day. */
  regenerate(id: string): string {
    const old = this.get(id);
    const secret = newSecret();
    const now = this.#clock.now();
    this.#records.put({ ...old, secret, oldSecret: { secret: old.secret, until: now + rotation }, updatedAt: now });
    return secret;
  }

  async delete(id: string): Promise<void> {
    this.get(id);
    await this.#records.delete(id);
  }

  /**
   * Delivers an event to every endpoint that subscribed to it. Events that occur while an endpoint is disabled are never delivered to it.
   */
  tell({ type, id, more = {} }: WebhookEvent): void {
    for (const { id: webhookId, isEnabled, enabledEvents } of this.list()) {
      if (isEnabled && enabledEvents.includes(type)) {
        const eventId = `wevt_${randomId(24)}`;
        const data = { id, type, workspace_id: 'workspace_default', organization_id: 'organization_default', ...more };
        // With spaces, as observed on a service: serializing the body again would produce other bytes.
        const body = spaced({ id: eventId, data, type: 'event', created_at: toTime(this.#clock.now()) });
        this.#attemptAt(this.#clock.now(), { webhookId, eventId, type, body, attempt: 1 });
      }
    }
  }

  /** Ends all running deliveries. Called before the clock stops. */
  end(): void {
    this.#ended.abort();
  }

  flush(): Promise<void> {
    return this.#records.flush();
  }

  #attemptAt(time: number, delivery: Delivery): void {
    this.#clock.at(time, () => this.#attempt(delivery));
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { webhookId, eventId, type, body, attempt } = delivery;
    const webhook = this.#records.find(webhookId);
    if (webhook === undefined || !webhook.isEnabled || this.#ended.signal.aborted) {
      return;
    }
    const now = this.#clock.now();
    const old = webhook.oldSecret !== null && webhook.oldSecret.until > now ? [webhook.oldSecret.secret] : [];
    const headers = signedHeaders(eventId, Math.floor(now / 1000), body, [webhook.secret, ...old]);
    const status = await this.#post(webhook.url, headers, body);
    this.#attempts.push({ eventId, webhookId, type, attempt, status });
    this.#attempts.splice(0, this.#attempts.length - keptAttempts);
    const isTaken = status !== undefined && status >= 200 && status < 300;
    const isElsewhere = status !== undefined && status >= 300 && status < 400;
    if (isElsewhere) {
      this.#change(webhookId, { isEnabled: false, disabledReason: 'redirect' });
    } else if (isTaken) {
      this.#change(webhookId, { failed: 0 });
    } else if (attempt < mostAttempts) {
      this.#attemptAt(now + shortestWait + Math.random() * (longestWait - shortestWait), { ...delivery, attempt: attempt + 1 });
    } else {
      // Read again: other deliveries may have failed during this one.
      const failed = (this.#records.find(webhookId)?.failed ?? 0) + 1;
      this.#change(webhookId, failed >= mostFailed ? { failed, isEnabled: false, disabledReason: 'sustained_failure' } : { failed });
    }
  }

  #change(id: string, change: Partial<WebhookRecord>): void {
    const record = this.#records.find(id);
    if (record !== undefined) {
      this.#records.put({ ...record, ...change });
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

interface Delivery {
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  readonly attempt: number;
}

/** Converts an endpoint to its response form. */
export function toWebhook(record: WebhookRecord) {
  return {
    id: record.id,
    type: 'webhook',
    url: record.url,
    name: record.name,
    description: record.description,
    enabled_events: record.enabledEvents,
    status: record.isEnabled ? 'enabled' : 'disabled',
    disabled_reason: record.disabledReason,
    created_at: toTime(record.createdAt),
    updated_at: toTime(record.updatedAt),
  };
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
