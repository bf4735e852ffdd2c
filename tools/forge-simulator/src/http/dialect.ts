/** What one forge brings to the common server: its paths, words, headers, pages, description and webhooks. */
import type { Account } from '../state/account.ts';
import type { Happening } from '../state/happening.ts';
import type { Hook } from '../state/repository.ts';
import type { Numbering, World } from '../state/world.ts';
import type { DescriptionSource } from '../description/description-source.ts';
import type { Problem } from '../description/problem.ts';
import type { Answer, Call, RouteTable } from './call.ts';
import type { LimitWords } from './fault-answers.ts';
import type { Fault } from './faults.ts';

export type ForgeKind = 'github' | 'gitlab' | 'gitea' | 'forgejo' | 'bitbucket-cloud';

/** Where a forge listens, for the URLs in its answers. */
export interface Site {
  readonly url: string;
  readonly apiUrl: string;
  /** A second origin for downloads; redirects lead there. */
  readonly downloadUrl: string;
}

export interface Credentials {
  readonly account: Account | null;
  /** Set when a credential was given and is no good. */
  readonly refusal?: Answer;
  /** A way of giving a credential that the product must not use. */
  readonly problem?: string;
}

export interface WebhookEvent {
  readonly event: string;
  readonly action: string | null;
  readonly payload: Record<string, unknown>;
}

export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Dialect {
  readonly kind: ForgeKind;
  readonly apiPrefix: string;
  readonly numbering: Numbering;
  /** Where a draft is a prefix of the title: that prefix. */
  readonly draftPrefix?: string;
  readonly description: DescriptionSource;
  readonly words: LimitWords;
  readonly authenticate: (call: Call, world: World) => Credentials;
  readonly routes: (world: World, site: Site, forge: ForgeServices) => RouteTable;
  readonly notFound: () => Answer;
  /** The answer to a request whose body breaks the description. */
  readonly invalid: (problems: readonly Problem[], call: Call) => Answer;
  /** The answer to a body that is no JSON. */
  readonly unreadable: () => Answer;
  /** Header rules beside the description; each problem is a violation. */
  readonly checkHeaders?: (call: Call) => readonly Problem[];
  /** Refuses a request before any route, such as one without User-Agent. */
  readonly gate?: (call: Call) => Answer | null;
  readonly page: (call: Call, answer: Answer, fault: Fault | null) => Answer;
  readonly headers: (call: Call, answer: Answer, world: World) => Readonly<Record<string, string>>;
  readonly conditional: boolean;
  readonly webhookEvents: (happening: Happening, site: Site) => Promise<readonly WebhookEvent[]>;
  readonly wants: (hook: Hook, event: WebhookEvent) => boolean;
  readonly sign: (
    hook: Hook,
    event: WebhookEvent,
    delivery: { readonly id: string; readonly attempt: number; readonly at: Date; readonly site: Site },
  ) => SignedDelivery;
}

/** What routes ask of the running forge. */
export interface ForgeServices {
  readonly ping: (hook: Hook) => void;
  readonly redeliver: (deliveryId: number) => boolean;
  readonly deliveries: (hook: Hook) => readonly DeliveryRecord[];
  readonly test: (happening: Happening, hook: Hook) => void;
}

export interface DeliveryRecord {
  readonly id: number;
  readonly guid: string;
  readonly hook: number;
  readonly event: string;
  readonly action: string | null;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly at: Date;
  readonly redelivery: boolean;
  /** Null until the receiver answered; 0 when no connection came about. */
  status: number | null;
  answer: string;
}
