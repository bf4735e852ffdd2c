/** A call of the API that was answered with a problem, or not at all. It says what happened and what to do next. */

export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  /** Status of HTTP; 0 where no answer came. */
  readonly status: number;
  /** Code of the contract's list, where the server gave one. */
  readonly code: string | null;
  readonly next: string | null;

  constructor(message: string, facts: { readonly status: number; readonly code?: string | null; readonly next?: string | null; readonly cause?: unknown }) {
    super(message, { cause: facts.cause });
    this.status = facts.status;
    this.code = facts.code ?? null;
    this.next = facts.next ?? null;
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Reads problem+json (RFC 9457); an answer that is none, as a proxy's page, is told by its status. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const status = response.status;
  if (!(response.headers.get('content-type') ?? '').includes('json'))
    return new ApiProblem(`The server answered ${status} without saying why.`, { status, next: 'Look at the log of the server.' });
  try {
    const body = (await response.json()) as Record<string, unknown>;
    const message = text(body['detail']) ?? text(body['title']) ?? `The server answered ${status}.`;
    return new ApiProblem(message, { status, code: text(body['code']), next: text(body['next']) });
  } catch (cause) {
    return new ApiProblem(`The server answered ${status} with a text that is no JSON.`, { status, cause, next: 'Look at the log of the server.' });
  }
}
