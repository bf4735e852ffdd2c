// Development only: lets a thread of Node 20 read the TypeScript of the worker. A build starts `pglite-worker.js` itself.
import { register } from 'tsx/esm/api';

register();
await import('./pglite-worker.ts');
