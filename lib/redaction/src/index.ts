export { createRedactor, REDACTED, type Redact } from './create-redactor.ts';
