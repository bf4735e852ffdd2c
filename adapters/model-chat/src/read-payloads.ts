/**
 * The JSON values in a response body: the events of a stream, or the one value of an endpoint that ignores `stream`.
 * The form is taken from the first character, since content types are often wrong.
 */
import { AppError } from '@weir/kernel';
import { createParser } from 'eventsource-parser';

type Form = 'unknown' | 'json' | 'events';

const END = '[DONE]';

const garbled = (what: string) => new AppError('MODEL_GARBLED', `The model endpoint answered with ${what}.`);

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw garbled(what);
  }
}

/**
 * Yields each value as it arrives and ends after `[DONE]` or with the body.
 * @throws AppError MODEL_GARBLED; what the body throws passes through.
 */
export async function* readPayloads(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  const parser = createParser({ onEvent: event => events.push(event.data) });
  const held: { form: Form; text: string } = { form: 'unknown', text: '' };

  function drain(text: string): readonly string[] {
    held.text = held.form === 'unknown' ? (held.text + text).trimStart() : held.text + text;
    if (held.form === 'unknown') held.form = formOf(held.text);
    if (held.form !== 'events') return [];
    parser.feed(held.text);
    held.text = '';
    return events.splice(0);
  }

  for await (const chunk of body) {
    for (const data of drain(decoder.decode(chunk, { stream: true }))) {
      if (data.trim() === END) return;
      yield parse(data, 'an event that is not JSON');
    }
  }
  // A last event without its blank line counts; one that was cut is no JSON and says so.
  for (const data of drain(`${decoder.decode()}\n\n`)) {
    if (data.trim() === END) return;
    yield parse(data, 'an event that is not JSON, or was cut off');
  }
  if (held.form === 'json') yield parse(held.text, 'JSON that is invalid or was cut off');
}

/** @throws AppError MODEL_GARBLED for a web page. */
function formOf(text: string): Form {
  const [first] = text;
  if (first === undefined) return 'unknown';
  if (first === '<') throw garbled('a web page instead of JSON');
  return first === '{' || first === '[' ? 'json' : 'events';
}
