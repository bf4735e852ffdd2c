/** Counters of this process in the text form that Prometheus reads. Labels are few and bounded: no key, no person, no model that a caller made up. */
import type { UpstreamProtocol } from '@weir/contract';

export interface MeasuredCall {
  readonly client: UpstreamProtocol;
  readonly modelProvider: string | null;
  readonly outcome: 'whole' | 'failed' | 'gone';
  readonly code: string | null;
  readonly ms: number;
  readonly firstByteMs: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export interface GatewayMetrics {
  began(): void;
  ended(): void;
  record(call: MeasuredCall): void;
  attention(code: string): void;
  text(): string;
}

/** Different label sets of one counter; more are counted together as `other`. */
const MAX_SERIES = 1_000;
/** Upper bounds of the buckets in seconds. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

type Labels = Readonly<Record<string, string>>;

const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, '_')}"`)
    .join(',');

class Counter {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Map<string, number>();
  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }
  add(labels: Labels, amount = 1): void {
    const text = labelText(labels);
    const key = this.#series.has(text) || this.#series.size < MAX_SERIES ? text : 'other="true"';
    this.#series.set(key, (this.#series.get(key) ?? 0) + amount);
  }
  lines(): string[] {
    const rows = [...this.#series].map(([labels, value]) => `${this.#name}{${labels}} ${value}`);
    return [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} counter`, ...rows];
  }
}

class Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #counts = BUCKETS.map(() => 0);
  #sum = 0;
  #count = 0;
  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }
  observe(seconds: number): void {
    this.#sum += seconds;
    this.#count += 1;
    for (const [at, bound] of BUCKETS.entries()) if (seconds <= bound) this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }
  lines(): string[] {
    const rows = BUCKETS.map((bound, at) => `${this.#name}_bucket{le="${bound}"} ${this.#counts[at]}`);
    const all = [...rows, `${this.#name}_bucket{le="+Inf"} ${this.#count}`, `${this.#name}_sum ${this.#sum}`, `${this.#name}_count ${this.#count}`];
    return [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`, ...all];
  }
}

export function createMetrics(): GatewayMetrics {
  let open = 0;
  const calls = new Counter('weir_gateway_calls_total', 'Calls that have ended, by outcome.');
  const tokens = new Counter('weir_gateway_tokens_total', 'Tokens that the model providers report.');
  const unknown = new Counter('weir_gateway_unknown_usage_total', 'Calls whose tokens are unknown.');
  const attention = new Counter('weir_gateway_attention_total', 'Events that an operator has to know.');
  const duration = new Histogram('weir_gateway_call_seconds', 'Seconds from the request to the end of its answer.');
  const firstByte = new Histogram('weir_gateway_first_byte_seconds', 'Seconds until the upstream began to answer.');
  return {
    began: () => void (open += 1),
    ended: () => void (open -= 1),
    record(call) {
      const provider = { model_provider: call.modelProvider ?? '' };
      calls.add({ client: call.client, ...provider, outcome: call.outcome, code: call.code ?? '' });
      duration.observe(call.ms / 1_000);
      if (call.firstByteMs !== null) firstByte.observe(call.firstByteMs / 1_000);
      if (call.inputTokens === null || call.outputTokens === null) unknown.add(provider);
      else {
        tokens.add({ ...provider, type: 'input' }, call.inputTokens);
        tokens.add({ ...provider, type: 'output' }, call.outputTokens);
      }
    },
    attention: code => attention.add({ code }),
    text() {
      const gauge = ['# HELP weir_gateway_open_calls Calls under way.', '# TYPE weir_gateway_open_calls gauge', `weir_gateway_open_calls ${open}`];
      return `${[...gauge, ...[calls, tokens, unknown, attention, duration, firstByte].flatMap(metric => metric.lines())].join('\n')}\n`;
    },
  };
}
