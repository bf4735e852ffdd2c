/** What an operator's command asks of a running server. */

export interface OperatorPlace {
  /** Origin of the gateway. */
  readonly gateway: string;
  /** The setting `gateway.operatorKey` of its process. */
  readonly key: string;
}

export interface StoreCall {
  readonly store: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Throws with the words of the server where it fails. */
export async function askOperator<Answer>({ gateway, key }: OperatorPlace, call: StoreCall): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const answer = await fetch(`${gateway}/v1/operator/stores`, { method: 'POST', headers, body: JSON.stringify(call) });
  const { result, error } = (await answer.json()) as { readonly result?: Answer; readonly error?: { readonly message: string } };
  if (error !== undefined) throw new Error(`${call.store}.${call.method}: ${error.message}`);
  return result as Answer;
}
