/** Where the dashboard may listen, and how browsers find it (REV-39a). */
import { isLoopback } from '@weir/api-http';
import { AppError } from '@weir/kernel';

export interface DashboardPlace {
  readonly host: string;
  /** Scheme, host and port; null: `http` and the address that it listens on. */
  readonly publicOrigin: string | null;
}

export interface PlaceSettings {
  readonly host: string;
  readonly publicUrl: string | null;
  readonly insecure: boolean;
  /** An identity provider is set. */
  readonly hasProvider: boolean;
}

const wrong = (sentence: string, next: string): AppError => new AppError('CONFIG_INVALID', sentence, { next });

/** Throws AppError CONFIG_INVALID for an address that would let others in, or send a session where it can be read. */
export function dashboardPlace({ host, publicUrl, insecure, hasProvider }: PlaceSettings): DashboardPlace {
  const publicOrigin = publicUrl === null ? null : originOf(publicUrl);
  if (!isLoopback(host) && !insecure) {
    if (!hasProvider) {
      throw wrong(
        `The dashboard does not listen on ${host}: whoever reaches it there would need no more than a link.`,
        'Set oidc.issuer, or leave dashboard.host at 127.0.0.1 and use a tunnel; dashboard.insecure lets it listen all the same.',
      );
    }
    if (publicOrigin === null) throw wrong(`dashboard.host is ${host}, and dashboard.publicUrl is not set.`, 'Set dashboard.publicUrl to what browsers ask.');
  }
  if (publicOrigin !== null && !insecure && publicOrigin.startsWith('http:') && !isLoopback(new URL(publicOrigin).hostname)) {
    throw wrong(
      'dashboard.publicUrl has no https, so that sessions could be read on the way.',
      'Put a proxy with TLS in front of it, or set dashboard.insecure.',
    );
  }
  return { host, publicOrigin };
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash + url.username + url.password === '';
  if (!isOrigin) throw wrong('dashboard.publicUrl is not scheme, host and port.', 'Set it as in https://weir.example.com, without a path.');
  return url.origin;
}
