export { formatDollars, readDollars } from './dollars.ts';
export { lineFault } from './line-fault.ts';
export { partitionUsage, type ReportedUsage, UNKNOWN_USAGE, type UsagePartition, type UsageParts } from './partition-usage.ts';
export { costOf, estimateCost, priceUsage, rateOf } from './price-usage.ts';
export {
  type CapDecision,
  capacityText,
  capText,
  decideCap,
  NO_LIMITS,
  readSpendLimits,
  type SpendAxis,
  type SpendLimits,
  type StoredSpendLimits,
} from './spend-cap.ts';
export { costOfCall, NO_SPEND, spendText, sumCharges, unknownFirst } from './spend-sum.ts';
export { USAGE_RULE, type UsageRule } from './usage-rules.ts';
