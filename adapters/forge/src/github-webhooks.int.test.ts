import examples from '@octokit/webhooks-examples' with { type: 'json' };
import { expect, test } from 'vitest';
import { compileProvider } from './compile-provider.ts';
import { loadDescriptor } from './load-builtin.fixture.ts';
import { mapWebhook } from './map-webhook.ts';

/** Published payloads of the vendor; each is a delivery of its event. */
const published = examples as unknown as readonly { readonly name: string; readonly examples: readonly { readonly action?: string }[] }[];
const provider = compileProvider(loadDescriptor('github'));

const outcomes = published.flatMap(({ name, examples: payloads }) =>
  payloads.map(payload => ({ name, action: payload.action, outcome: mapWebhook(provider, { name, payload, headers: {} }) })),
);

test('PRV-15: no published payload is unreadable', () => {
  expect(outcomes.length).toBeGreaterThan(200);
  expect(outcomes.filter(one => one.outcome.kind === 'unreadable').map(one => [one.name, one.action, one.outcome])).toEqual([]);
});

test('PRV-15: each event that a review needs comes from the payload that is meant for it', () => {
  const seen = new Map<string, Set<string>>();
  for (const { name, action, outcome } of outcomes) {
    if (outcome.kind !== 'event') continue;
    const from = seen.get(outcome.event.type) ?? new Set();
    seen.set(outcome.event.type, from.add(`${name}.${action ?? ''}`));
  }
  const expected: Readonly<Record<string, string[]>> = {
    'change.opened': ['pull_request.opened'],
    'change.reopened': ['pull_request.reopened'],
    'change.ready': ['pull_request.ready_for_review'],
    'change.drafted': ['pull_request.converted_to_draft'],
    'change.head_pushed': ['pull_request.synchronize'],
    'change.closed': ['pull_request.closed'],
    'change.labelled': ['pull_request.labeled'],
    'change.unlabelled': ['pull_request.unlabeled'],
    'issue.commented': ['issue_comment.created'],
    'thread.commented': ['pull_request_review_comment.created'],
    'thread.resolved': ['pull_request_review_thread.resolved'],
    'review.submitted': ['pull_request_review.submitted'],
    'issue.opened': ['issues.opened'],
    'branch.pushed': ['push.'],
  };
  for (const [type, from] of Object.entries(expected))
    expect(
      [...(seen.get(type) ?? [])].filter(one => !from.includes(one)),
      type,
    ).toEqual([]);
  expect(Object.keys(expected).filter(type => !seen.has(type))).toEqual([]);
});

test('PRV-15: a comment on a pull request is told from one on an issue by the member that says so', () => {
  const payload = published.find(one => one.name === 'issue_comment')?.examples.find(one => one.action === 'created') as { issue: object };
  const onPull = { ...payload, issue: { ...payload.issue, pull_request: { url: 'https://api.github.com/x', merged_at: null } } };
  expect(mapWebhook(provider, { name: 'issue_comment', payload: onPull, headers: {} })).toMatchObject({
    event: { type: 'comment.created', change: { head: null } },
  });
});
