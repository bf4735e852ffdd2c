/**
 * The rules of the design pages, as data. A test cites the rules that it holds to: test(`${verifies('REV-17')} …`).
 * `built` rules need a citation; `untested` lists those that still have none, with the reason, and may only shrink.
 */

/** Rules whose page is built so far. The others wait for their feature and are listed in `later`. */
export const built = {
  'PRO-2': 'Unknown is never zero, a refusal is never a failure, a partial reading is never called clean.',
  'PRO-3': 'A repository can narrow, never widen or redirect.',
  'PRO-4': 'No forge, tracker, harness or runtime is named outside its own room.',
  'PRO-6': 'What a person sees carries its reason.',
  'REV-12': 'Diffs are never stored.',
  'REV-14': 'Nothing is cut silently.',
  'REV-15': 'Prompt slots with separate budgets; everything untrusted is fenced as data; imitated fences are neutralized.',
  'REV-16': 'Findings come back as JSON checked by a schema; the parser survives what models really answer.',
  'REV-16a': 'Findings are salvaged one by one; a cut answer is truncated and never clean.',
  'REV-16b': 'A large change is reviewed in several calls; every file is exactly one of full, partial, skipped.',
  'REV-17': 'Anchors are checked against the diff; a finding off the diff is moved or listed, never dropped.',
  'REV-20': 'Budgets and retries: a model call is repeated at most once and only before its first byte.',
  'REV-20a': 'weir review without a server; output formats; exit codes.',
  'REV-20b': 'SARIF, checkstyle and rdjson are findings too.',
  'REV-20c': 'Rules files are read where people keep them, as fenced data.',
  'REV-20d': 'Ignore rules: globs, generated files, titles, branches, authors.',
  'REV-20e': 'The diff model.',
  'REV-36': 'Rules and repository settings are read from the target branch, never from the head.',
  'REV-37': 'Repository configuration may narrow; anything else is reported, not obeyed.',
  'REV-40': 'Outgoing URLs pass one guard.',
  'PRV-1': 'The verbs of weir provider.',
  'PRV-2': 'pin, compile offline byte for byte, verify.',
  'PRV-2a': 'An own iterative walker over schema positions; external references are refused.',
  'PRV-3': 'A table row is flat.',
  'PRV-4': 'OpenAPI 3.0, 3.1 and Swagger 2.0; nothing selected is half-supported.',
  'PRV-5': 'lock and verify.',
  'PRV-6': 'doctor.',
  'PRV-7': 'diff of two pinned versions.',
  'PRV-8': 'Bounds of tables and answers.',
  'PRV-9': 'Validate, bind, send, classify.',
  'PRV-10': 'The rate-limit governor.',
  'PRV-11': 'Pagination never returns a short list.',
  'PRV-12': 'Redirects by our own rules; no credential leaves its origin.',
  'PRV-12a': 'Requests are checked strictly, responses never.',
  'PRV-13': 'One resolver of credentials.',
  'PRV-14': 'Conditional reads.',
  'PRV-15': 'A verb that a forge cannot do is declared unsupported.',
  'PRV-16': 'Fallback chains.',
  'PRV-17': 'Writes are denied unless allowed.',
  'PRV-17a': 'GraphQL: persisted documents only.',
  'PRV-18': 'Receipts and a hash-chained audit log.',
  'PRV-19': 'Budgets and quarantine.',
  'PRV-20': 'Provider text is untrusted.',
  'PRV-25': 'Contract cases for every bound operation.',
  'PRV-25a': 'The same requests as the vendor client.',
  'PRV-26': 'Simulators share no code with the executor.',
  'SPEC-1': 'A specialist is one package with one entry; nothing else is edited.',
  'SPEC-6': 'Deterministic review specialists ship with Weir and need no model.',
  'SPEC-7': 'Findings on overlapping lines and one row of the equivalence table become one that names its sources.',
} as const;

/** Rules of pages that are being built: tests may cite them already; a rule moves up when its feature is whole. */
export const building = {
  'MOD-2': 'Dispositions follow from declarations and facts, never from a model name.',
  'MOD-3': 'A disposition is decided over the whole lifecycle.',
  'MOD-4': 'Native passes unchanged.',
  'MOD-5': 'Adapters are injective, request-scoped and invertible; aliases are a pure function; reversal is look-up.',
  'MOD-6': 'Freeform tools become an envelope with exact deltas.',
  'MOD-7': 'The inventory comes from all three places; history is aliased too.',
  'MOD-8': 'Hosted tools and tool_choice.',
  'MOD-9': 'Collaboration V1 and V2 are recognised and never mixed.',
  'MOD-10': 'A bounded, typed failure for every broken stream.',
  'MOD-11': 'One item-based intermediate form.',
  'MOD-13': 'Conversions that everyone gets wrong.',
  'MOD-15': 'Errors that make real clients stop.',
  'MOD-18a': 'Capability facts.',
  'MOD-21': 'Real agents complete a task through the gateway.',
  'MOD-1': 'One immutable route or a clear error; no fallback to another model or provider.',
  'MOD-16': 'Transient upstream failures: bounded retries on the same route, then the pool of its credentials.',
  'MOD-17': 'The gateway is the ledger; virtual keys carry budget, allowed routes and expiry; revocation acts on running streams.',
  'MOD-18': 'weir models explain: the route and its dispositions, no payloads.',
  'MOD-23': 'What an invalid virtual key is answered.',
  'REV-2': 'One aggregate per review, single writer, optimistic concurrency on the stream version.',
  'REV-3': 'CloudEvents envelopes with a schema version; old versions are upcast on read.',
  'REV-3a': 'Append, projection, dedupe, cursor and outbox commit in one transaction; publishing follows.',
  'REV-4': 'Keyed by review id: in order per key, different keys in parallel.',
  'REV-29': 'One charge line per token type; unknown is never zero.',
  'REV-30': 'A model needs rates or the word unmetered; renaming or deleting one in use is refused.',
  'REV-31': 'Caps are optional, soft, and one gate decides.',
  'REV-32': 'Credentials form a pool, rotated least recently exhausted.',
  'REV-39': 'Stored secrets are encrypted with a keyset and bound to their row.',
} as const;

export type RuleId = keyof typeof built | keyof typeof building;

/** Built rules without a test, each with the reason. May only shrink. */
export const untested: Partial<Record<RuleId, string>> = {};

/** Cites rules in a test's title: `[REV-17 REV-20e]`. An unknown id does not compile. */
export const verifies = (...ids: readonly [RuleId, ...RuleId[]]): string => `[${ids.join(' ')}]`;
