/** The way out, with a memory: everything that goes through it is kept until it is asked for. Nothing is redacted here. */
import type { HttpPort, HttpRequest, HttpResponse } from '@weir/ports';

export interface RawExchange {
  readonly request: HttpRequest;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The answer was read to its end. */
  readonly complete: boolean;
}

export interface Recorder {
  readonly http: HttpPort;
  /** In the order of the requests. A request without an answer is not there. */
  exchanges(): readonly RawExchange[];
}

interface Recording {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly chunks: Uint8Array[];
  complete: boolean;
}

async function* copied(recording: Recording): AsyncGenerator<Uint8Array> {
  for await (const chunk of recording.response.body) {
    recording.chunks.push(chunk);
    yield chunk;
  }
  recording.complete = true;
}

export function recordHttp(http: HttpPort): Recorder {
  const recordings: Recording[] = [];
  return {
    http: {
      async send(request, signal) {
        const response = await http.send(request, signal);
        const recording: Recording = { request, response, chunks: [], complete: false };
        recordings.push(recording);
        return { ...response, body: copied(recording) };
      },
    },
    exchanges: () =>
      recordings.map(({ request, response: { status, headers }, chunks, complete }) => ({ request, status, headers, complete, body: Buffer.concat(chunks) })),
  };
}
