export * from './capabilities.ts';
export * from './errors.ts';
export * from './finding.ts';
export * from './known.ts';
export * from './provider-descriptor.ts';
export * from './review-report.ts';
export * from './settings.ts';
export { CATEGORIES, SEVERITIES, SEVERITY_MEANING } from './severity.ts';
