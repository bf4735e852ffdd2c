export { createCounter, createGauge, createHistogram, type Counter, type Gauge, type Histogram, type Metric, metricsText } from './metric.ts';
