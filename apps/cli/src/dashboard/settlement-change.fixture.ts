/** One change with three rounds: what its diff is, and what each round found. */
import type { SeededFinding } from './seed-reviews.fixture.ts';

export const SETTLEMENT_DIFF = `diff --git a/src/settlement/ledger.ts b/src/settlement/ledger.ts
--- a/src/settlement/ledger.ts
+++ b/src/settlement/ledger.ts
@@ -41,4 +41,5 @@ export class Ledger {
   const entries = await this.open(batch);
-  await this.tx(() => this.post(entries));
+  await this.post(entries);
+  await this.outbox.emit('settled', batch.id);
   return entries.length;
 }
diff --git a/src/settlement/names.ts b/src/settlement/names.ts
--- a/src/settlement/names.ts
+++ b/src/settlement/names.ts
@@ -1,3 +1,3 @@
 export const LIMIT = 50;
 
-export type Page = readonly Entry[];
+export type Batch = readonly Entry[];
diff --git a/src/settlement/retry.ts b/src/settlement/retry.ts
new file mode 100644
--- /dev/null
+++ b/src/settlement/retry.ts
@@ -0,0 +1,3 @@
+export async function retry(run: () => Promise<void>) {
+  for (;;) await run();
+}
diff --git a/test/ledger.test.ts b/test/ledger.test.ts
--- a/test/ledger.test.ts
+++ b/test/ledger.test.ts
@@ -10,2 +10,3 @@ test('settles', async () => {
   await ledger.settle(batch);
+  expect(outbox.sent).toEqual(['settled']);
 });
diff --git a/logo.png b/logo.png
new file mode 100644
Binary files /dev/null and b/logo.png differ
`;

export const ROUND_1: readonly SeededFinding[] = [
  { severity: 'minor', path: 'src/settlement/names.ts', line: 3, title: 'Name says batch, value is a page', message: 'The next reader looks for batches.' },
  { severity: 'note', path: 'test/ledger.test.ts', line: 11, title: 'The test waits for nothing', message: 'It would pass before the emit.', inThread: true },
];

export const ROUND_2: readonly SeededFinding[] = [
  {
    ...{ severity: 'blocker', path: 'src/settlement/ledger.ts', line: 42, endLine: 43, inThread: true },
    title: 'Ledger posts outside the transaction',
    message: 'If emit fails after post, the batch is settled twice on retry: the outbox row and the entries no longer commit together.',
    suggestion: "await this.tx(() => this.post(entries));\nawait this.outbox.emit('settled', batch.id);",
    evidence: [
      { path: 'outbox.ts', line: 88, note: 'retries on any throw' },
      { path: 'ledger.test.ts', line: null, note: 'has no failing-emit case' },
    ],
  },
];

export const ROUND_3: readonly SeededFinding[] = [
  { severity: 'major', path: 'src/settlement/retry.ts', line: 2, title: 'Retry has no ceiling', message: 'A batch that always fails is tried for ever.' },
];
