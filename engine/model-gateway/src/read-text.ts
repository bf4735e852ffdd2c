/** The text of a body, as far as a bound lets it be read. */
import type { HttpResponse } from '@weir/ports';

/** Of an upstream's error; more is not read. */
const MAX_ERROR_CHARS = 64_000;

/** The whole text; the body itself is bounded by the request that asked for it. */
export async function readText(body: HttpResponse['body']): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for await (const chunk of body) parts.push(decoder.decode(chunk, { stream: true }));
  return parts.join('') + decoder.decode();
}

export async function readErrorText(body: HttpResponse['body']): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ERROR_CHARS) break;
  }
  return text.slice(0, MAX_ERROR_CHARS);
}
