/**
 * Opens the socket of a request, and checks the address in the same step (REV-40).
 * The check sits in the look-up that the socket itself uses, so the address that is checked is the one that is connected;
 * a name that changes its answer between two look-ups gains nothing.
 */
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { HttpFailure } from '@weir/ports';
import { refusedRange } from './address-policy.ts';

const refusal = (origin: string, address: string, range: string) =>
  new HttpFailure('refused', `${origin} leads to ${address} (${range}). If that is meant, add "${origin}" to \`network.allowOrigins\`.`);

/** One forbidden address refuses the whole name: a public name that also answers with a private address is not trusted. */
function guardLookup(origin: string, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, []);
      const addresses = typeof answer === 'string' ? [{ address: answer, family: isIP(answer) }] : answer;
      for (const { address } of addresses) {
        const range = refusedRange(address);
        if (range !== undefined) return callback(refusal(origin, address, range), []);
      }
      const [first] = addresses;
      if (first === undefined) return callback(new HttpFailure('unreachable', `${new URL(origin).host} has no address.`), []);
      return options.all === true ? callback(null, [...addresses]) : callback(null, first.address, first.family);
    });
}

/**
 * @param open true for an origin of the allow list: its addresses are not judged.
 * @returns a socket that is still connecting. @throws HttpFailure `refused` when the host is itself a forbidden address.
 */
export function guardedConnect(url: URL, open: boolean, lookup: LookupFunction): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const range = isIP(host) === 0 || open ? undefined : refusedRange(host);
  if (range !== undefined) throw refusal(url.origin, host, range);
  const secure = url.protocol === 'https:';
  const target = { host, port: Number(url.port || (secure ? 443 : 80)), lookup: open ? lookup : guardLookup(url.origin, lookup) };
  if (!secure) return connectTcp(target);
  return connectTls({ ...target, ALPNProtocols: ['http/1.1'], ...(isIP(host) === 0 ? { servername: host } : {}) });
}
