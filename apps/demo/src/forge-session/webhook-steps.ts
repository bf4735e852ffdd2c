/** Registers a hook, lets the author push, and reads what arrives; then reads it again with one byte changed. */
import assert from 'node:assert/strict';
import { FULL_NAME, REPOSITORY, type Scene, SECRET } from './scene.ts';
import { sceneStep, type Step, verbStep } from './step.ts';

const repository = REPOSITORY;

/** What every forge tells of a session. */
const TOLD = ['branch.pushed', 'change.head_pushed', 'change.opened', 'change.merged', 'review.submitted'];

/** What the engine makes of each delivery, with its bytes changed as told. */
function readDeliveries({ provider, receiver }: Scene, change: (body: Buffer) => Uint8Array = body => body, secret = SECRET) {
  return receiver.received.map(({ headers, body }) => provider.webhook({ headers, body: change(body), secrets: [secret] }));
}

/** The same JSON with one letter of a value changed. */
const tampered = (body: Buffer): Uint8Array => Buffer.from(body.toString().replace('"main"', '"evil"').replace('feature', 'festure'));

const hookStep = (about: string): Step =>
  verbStep('webhook.upsert', {
    about,
    args: ({ receiver }) => ({ repository, url: receiver.url, secret: SECRET }),
    show: ({ id }, { found }) => {
      assert.ok(found.hook === '' || found.hook === id, `another hook: ${id}`);
      found.hook = id;
      return `hook ${id}`;
    },
  });

/** Before anything happens, so that everything is told. */
export const HOOK_STEPS: readonly Step[] = [
  hookStep('a new one'),
  hookStep('the same again'),
  verbStep('webhook.list', {
    args: () => ({ repository }),
    show: ({ webhooks }, { found, receiver }) => {
      assert.deepEqual(
        webhooks.map(({ id, url, active }) => [id, url, active]),
        [[found.hook, receiver.url, true]],
      );
      return `${webhooks.length}: ${webhooks[0]?.events.length} kinds of events`;
    },
  }),
];

export const DELIVERY_STEPS: readonly Step[] = [
  sceneStep('the author pushes; all that was delivered', async scene => {
    const { forge, receiver } = scene;
    await forge.seed.push({ repository: FULL_NAME, branch: 'feature', by: 'alice', files: { 'src/late.ts': 'late\n' } });
    await forge.settled();
    const read = readDeliveries(scene);
    assert.deepEqual(
      read.filter(({ kind }) => kind === 'refused' || kind === 'unreadable'),
      [],
    );
    const types: readonly string[] = [...new Set(read.flatMap(one => (one.kind === 'event' ? [one.event.type] : [])))].sort();
    for (const type of TOLD) assert.ok(types.includes(type), `${type} is not among ${types.join(', ')}`);
    assert.equal(new Set(read.map(one => ('delivery' in one ? one.delivery : null))).size, receiver.received.length, 'a delivery without an id of its own');
    return `${read.length} deliveries, all signed: ${types.join(', ')}`;
  }),
  sceneStep('a byte changed; another secret', scene => {
    const { signature } = scene.descriptor.webhooks ?? {};
    const other = readDeliveries(scene, undefined, 'another secret of another hook');
    assert.ok(other.every(({ kind }) => kind === 'refused'));
    if (signature?.scheme === 'token') return 'another secret is refused; this forge signs no bytes, it sends a secret';
    const changed = readDeliveries(scene, tampered);
    assert.ok(changed.length > 0 && changed.every(({ kind }) => kind === 'refused'));
    return 'refused';
  }),
  verbStep('webhook.delete', {
    args: ({ found }) => ({ repository, id: found.hook }),
    show: ({ deleted }, { found, forge }) => {
      assert.equal(deleted, found.hook);
      assert.equal(forge.seed.find(FULL_NAME).hooks.length, 0);
      return `hook ${deleted} is gone`;
    },
  }),
];
