/**
 * Counters, gauges and histograms of a process in the text form that Prometheus reads. Labels are few and bounded: no key, no person,
 * nothing that a caller made up.
 */

/** Different label sets of one counter; more are counted together as `other`. */
const MAX_SERIES = 1_000;
/** Upper bounds of the buckets in seconds. */
const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

type Labels = Readonly<Record<string, string>>;

/** Something that prints itself. */
export interface Metric {
  lines(): readonly string[];
}
export interface Counter extends Metric {
  add(labels: Labels, amount?: number): void;
}
export interface Gauge extends Metric {
  add(amount: number): void;
}
export interface Histogram extends Metric {
  observe(seconds: number): void;
}

const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, '_')}"`)
    .join(',');

const heading = (name: string, help: string, type: string): readonly string[] => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];

/** @param name `weir_<noun>_<unit>` */
export function createCounter(name: string, help: string): Counter {
  const series = new Map<string, number>();
  return {
    add(labels, amount = 1) {
      const text = labelText(labels);
      const key = series.has(text) || series.size < MAX_SERIES ? text : 'other="true"';
      series.set(key, (series.get(key) ?? 0) + amount);
    },
    lines: () => [...heading(name, help, 'counter'), ...[...series].map(([labels, value]) => `${name}{${labels}} ${value}`)],
  };
}

export function createGauge(name: string, help: string): Gauge {
  let value = 0;
  return { add: amount => void (value += amount), lines: () => [...heading(name, help, 'gauge'), `${name} ${value}`] };
}

export function createHistogram(name: string, help: string): Histogram {
  const counts = BUCKETS.map(() => 0);
  let sum = 0;
  let count = 0;
  return {
    observe(seconds) {
      sum += seconds;
      count += 1;
      for (const [at, bound] of BUCKETS.entries()) if (seconds <= bound) counts[at] = (counts[at] ?? 0) + 1;
    },
    lines() {
      const rows = BUCKETS.map((bound, at) => `${name}_bucket{le="${bound}"} ${counts[at]}`);
      return [...heading(name, help, 'histogram'), ...rows, `${name}_bucket{le="+Inf"} ${count}`, `${name}_sum ${sum}`, `${name}_count ${count}`];
    },
  };
}

/** The page that a scraper reads. */
export const metricsText = (metrics: readonly Metric[]): string => `${metrics.flatMap(metric => metric.lines()).join('\n')}\n`;
