/**
 * Reasoning that stays bound to its route (MOD-13). When a client of another protocol has to carry it, it gets a seal
 * of ours that names the route; when the history comes back, the seal says where it may go. It is no secret and no
 * signature: the upstream itself checks what is inside.
 */
import type { WireProtocol } from '@weir/tool-plan';
import type { Sealed } from './item.ts';

const MARK = 'weir1';
const FORMS: ReadonlySet<string> = new Set(['encrypted_content', 'signature', 'redacted'] satisfies Sealed['form'][]);

/** Which protocol understands a form. */
export const SEAL_PROTOCOL: Readonly<Record<Sealed['form'], WireProtocol>> = { encrypted_content: 'responses', signature: 'messages', redacted: 'messages' };

/** The text that a client of another protocol carries. A route is a tag of the server's choice, without a colon. */
export const sealFor = ({ form, value }: Sealed, route: string): string => `${MARK}:${route}:${form}:${value}`;

/** A sealed payload from a client's history; `form` is what it is when it carries no seal of ours. */
export function readSealed(value: string, form: Sealed['form']): Sealed {
  if (!value.startsWith(`${MARK}:`)) return { form, value, route: undefined };
  const [, route = '', named = '', ...rest] = value.split(':');
  return FORMS.has(named) ? { form: named as Sealed['form'], value: rest.join(':'), route } : { form, value, route: undefined };
}
