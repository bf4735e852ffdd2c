/**
 * An app's own credential: a JWT that it signs, and installation tokens that it mints with it and keeps until shortly before
 * they expire (PRV-13).
 */
import { createSign } from 'node:crypto';
import { failed, type Outcome } from '../provider-failure.ts';

export interface AppIdentity {
  readonly appId: string;
  /** Null until the app is installed; then it can speak of itself, and for nobody. */
  readonly installationId: number | null;
  /** PEM of the RSA key. */
  readonly privateKey: string;
}

export interface InstallationToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Asks the provider for a token with this JWT. It is asked for all that wait, so no caller's signal ends it; its own deadline does. */
export type MintToken = (jwt: string) => Promise<Outcome<InstallationToken>>;

/** The issuer's clock may be behind ours by a minute; a JWT lives ten minutes at most. */
const SKEW_SECONDS = 60;
const JWT_SECONDS = 540;
/** A token that ends within this is not used for a new call. */
const RENEW_BEFORE_MS = 120_000;

const NOT_INSTALLED = failed('Unauthorized', 'the app is installed nowhere yet', { hint: 'Install it, then look again: weir account check.' });

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Throws where the key is no RSA key. */
export const signAppJwt = ({ appId, privateKey }: AppIdentity, nowMs: number): string => {
  const seconds = Math.floor(nowMs / 1_000);
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ iat: seconds - SKEW_SECONDS, exp: seconds + JWT_SECONDS, iss: appId })}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
};

export interface AppCredential {
  jwt(): Outcome<string>;
  installationToken(): Promise<Outcome<string>>;
}

/** Calls that want a token at the same time wait for one minting; a minting that fails is not remembered. */
export const createAppCredential = (identity: AppIdentity, mint: MintToken, now: () => number): AppCredential => {
  let kept: InstallationToken | undefined;
  let minting: Promise<Outcome<InstallationToken>> | undefined;

  function jwt(): Outcome<string> {
    try {
      return { ok: true, value: signAppJwt(identity, now()) };
    } catch {
      // The reason of node:crypto may quote the key, so nothing of it is passed on.
      return failed('Unauthorized', 'the private key of the app cannot sign', { hint: 'Give the PEM of the RSA key that the provider made for the app.' });
    }
  }

  async function mintOnce(): Promise<Outcome<InstallationToken>> {
    const signed = jwt();
    return signed.ok ? mint(signed.value) : signed;
  }

  return {
    jwt,
    installationToken: async () => {
      if (identity.installationId === null) return NOT_INSTALLED;
      if (kept !== undefined && kept.expiresAt - RENEW_BEFORE_MS > now()) return { ok: true, value: kept.token };
      minting ??= mintOnce().finally(() => {
        minting = undefined;
      });
      const minted = await minting;
      if (!minted.ok) return minted;
      kept = minted.value;
      return { ok: true, value: kept.token };
    },
  };
};
