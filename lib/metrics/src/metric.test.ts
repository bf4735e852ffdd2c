import { expect, test } from 'vitest';
import { createCounter, createGauge, createHistogram, metricsText } from './metric.ts';

test('a counter has one line for each set of labels, in the order in which they came', () => {
  const counter = createCounter('weir_things_total', 'Things.');
  counter.add({ kind: 'b' });
  counter.add({ kind: 'a', colour: 'red' }, 3);
  counter.add({ kind: 'b' });
  expect(metricsText([counter])).toBe(
    '# HELP weir_things_total Things.\n# TYPE weir_things_total counter\nweir_things_total{kind="b"} 2\nweir_things_total{kind="a",colour="red"} 3\n',
  );
});

test('a label cannot end its line or its quotes', () => {
  const counter = createCounter('c', 'C.');
  counter.add({ kind: 'a"} 9\nfake_total{x="\\' });
  expect(counter.lines().slice(2)).toEqual(['c{kind="a_} 9_fake_total{x=__"} 1']);
});

test('a thousand sets of labels are told apart; what comes later is counted together, and what is known goes on', () => {
  const counter = createCounter('c', 'C.');
  for (let at = 0; at < 1_500; at += 1) counter.add({ at: String(at) });
  counter.add({ at: '7' });
  const lines = counter.lines().slice(2);
  expect(lines).toHaveLength(1_001);
  expect(lines).toContain('c{at="7"} 2');
  expect(lines.at(-1)).toBe('c{other="true"} 500');
});

test('a gauge goes up and down', () => {
  const gauge = createGauge('g', 'G.');
  gauge.add(3);
  gauge.add(-2);
  expect(gauge.lines()).toEqual(['# HELP g G.', '# TYPE g gauge', 'g 1']);
});

test('a histogram counts each value in every bucket that holds it', () => {
  const histogram = createHistogram('h_seconds', 'H.');
  for (const seconds of [0.01, 0.3, 301]) histogram.observe(seconds);
  const lines = histogram.lines();
  for (const line of [
    'h_seconds_bucket{le="0.01"} 1',
    'h_seconds_bucket{le="0.25"} 1',
    'h_seconds_bucket{le="0.5"} 2',
    'h_seconds_bucket{le="300"} 2',
    'h_seconds_bucket{le="+Inf"} 3',
    'h_seconds_count 3',
  ])
    expect(lines).toContain(line);
  expect(Number(/^h_seconds_sum (.*)$/m.exec(lines.join('\n'))?.[1])).toBeCloseTo(301.31);
});
