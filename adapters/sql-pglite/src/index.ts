export { createPglite, type PgliteNotice, type PgliteSettings } from './create-pglite.ts';
