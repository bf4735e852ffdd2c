/** What the server is made of, and where it listens. */
import type { ApiRoute } from '@weir/contract';
import type { AnswerStore, ApiFeed, ApiHandler, Identity, ProviderSignIn } from '@weir/ports';
import type { StaticFiles } from './static-files.ts';

export interface ApiServerSettings {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Scheme, host and port that browsers use, as behind a proxy; null: `http` and the address that it listens on. */
  readonly publicOrigin: string | null;
  readonly routes: readonly ApiRoute[];
  /** By the id of the route. */
  readonly handlers: Readonly<Record<string, ApiHandler>>;
  readonly feeds: Readonly<Record<string, ApiFeed>>;
  readonly identity: Identity;
  /** Null where no identity provider is set. */
  readonly provider: ProviderSignIn | null;
  readonly answers: AnswerStore;
  readonly staticFiles: StaticFiles;
  /** Served at `/openapi.json`. */
  readonly openApi: object;
  readonly now: () => number;
  readonly heartbeatMs?: number;
  /** An error that nobody foresaw, for the log. */
  readonly onBug: (error: unknown) => void;
}
