/**
 * Delivers webhooks as a forge does: one POST a hook, signed over the exact bytes that are sent, in the order of the events.
 * Nothing is retried by itself; `redeliver` sends the same bytes again.
 */
import { request } from 'node:http';
import type { DeliveryRecord, Dialect, Site, WebhookEvent } from '../http/dialect.ts';
import type { Happening } from '../state/happening.ts';
import type { Hook } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { uuidOf } from '../state/account.ts';

const RECEIVER_TIMEOUT_MS = 10_000;
const ANSWER_LIMIT = 8192;

export class WebhookSender {
  readonly deliveries: DeliveryRecord[] = [];
  readonly #dialect: Dialect;
  readonly #site: Site;
  readonly #world: World;
  #queue: Promise<void> = Promise.resolve();

  constructor(dialect: Dialect, site: Site, world: World) {
    this.#dialect = dialect;
    this.#site = site;
    this.#world = world;
    world.listen(happening => this.tell(happening, happening.kind === 'ping' ? [happening.hook] : happening.repository.hooks));
  }

  /** Queues a happening for some hooks. Payloads are built now, so that they show the state of this moment. */
  tell(happening: Happening, hooks: readonly Hook[]): void {
    if (!hooks.some(hook => hook.active)) return;
    const events = this.#dialect.webhookEvents(happening, this.#site);
    const targets = [...hooks];
    this.#queue = this.#queue.then(async () => {
      for (const event of await events)
        for (const hook of targets) if (hook.active && (happening.kind === 'ping' || this.#dialect.wants(hook, event))) await this.#deliver(hook, event);
    });
  }

  redeliver(id: number): boolean {
    const first = this.deliveries.find(delivery => delivery.id === id);
    if (first === undefined) return false;
    const again = { ...first, id: this.#world.id('delivery'), at: this.#world.now(), redelivery: true, status: null, answer: '' };
    this.deliveries.push(again);
    this.#queue = this.#queue.then(() => post(again));
    return true;
  }

  /** Resolves when every queued delivery was answered or failed. */
  async settled(): Promise<void> {
    for (let seen: Promise<void> | null = null; seen !== this.#queue; ) {
      seen = this.#queue;
      await seen;
    }
  }

  async #deliver(hook: Hook, event: WebhookEvent): Promise<void> {
    const id = this.#world.id('delivery');
    const guid = uuidOf(`delivery ${id} ${this.#site.url}`);
    const at = this.#world.now();
    const signed = this.#dialect.sign(hook, event, { id: guid, attempt: 1, at, site: this.#site });
    const record: DeliveryRecord = {
      id,
      guid,
      hook: hook.id,
      event: event.event,
      action: event.action,
      url: hook.url,
      headers: signed.headers,
      body: signed.body,
      at,
      redelivery: false,
      status: null,
      answer: '',
    };
    this.deliveries.push(record);
    await post(record);
  }
}

/** Never rejects: a receiver that can't be reached is a status of 0, as in a forge's own delivery list. */
function post(record: DeliveryRecord): Promise<void> {
  return new Promise(resolve => {
    const fail = (error: Error): void => {
      record.status = 0;
      record.answer = error.message;
      resolve();
    };
    const sent = request(
      record.url,
      { method: 'POST', headers: { ...record.headers, 'content-length': record.body.length }, timeout: RECEIVER_TIMEOUT_MS },
      answer => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', fail);
        answer.on('end', () => {
          record.status = answer.statusCode ?? 0;
          record.answer = Buffer.concat(chunks).toString().slice(0, ANSWER_LIMIT);
          resolve();
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('timed out')));
    sent.on('error', fail);
    sent.end(record.body);
  });
}
