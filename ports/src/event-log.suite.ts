/** What every event log has to do (REV-2, REV-3, REV-3a). Tests share one log, each with streams of its own. */
import { sampleEnvelope, sampleEnvelopes } from './envelope-sample.ts';
import type { AppendRequest, EventLog, InlineProjection, LogEvent, LogPosition } from './event-log.port.ts';
import type { SqlPort } from './sql.port.ts';
import { failureMessage, failureName, type SuiteTools } from './suite-tools.ts';
import type { Upcast } from './upcast.ts';

export interface EventLogSuiteSubject {
  readonly database: () => SqlPort;
  /** Two logs over one database, as two processes have them. */
  readonly logs: (parts: { readonly projections: readonly InlineProjection[]; readonly upcast: Upcast }) => readonly [EventLog, EventLog];
}

const WRITERS = 8;
const EACH = 25;
const PAGE = 7;

export function eventLogSuite({ database, logs }: EventLogSuiteSubject, tools: SuiteTools): void {
  const plain = (projections: readonly InlineProjection[] = []): readonly [EventLog, EventLog] => logs({ projections, upcast: envelope => envelope });
  streamTests(plain, tools);
  conflictTests({ database, plain }, tools);
  orderTests(plain, tools);
  backwardsTests(plain, tools);
  togetherTests({ database, plain }, tools);
  readerTests({ database, plain }, tools);
  versionTests(logs, tools);
}

type Plain = (projections?: readonly InlineProjection[]) => readonly [EventLog, EventLog];
interface Stage {
  readonly database: () => SqlPort;
  readonly plain: Plain;
}

const ids = (events: readonly LogEvent[]): string[] => events.map(({ envelope }) => envelope.id);
const numbered = (events: readonly LogEvent[]): string[] => events.map(({ version, envelope }) => `${version} ${envelope.id}`);

async function readToEnd(log: EventLog, start?: LogPosition): Promise<LogEvent[]> {
  const all: LogEvent[] = [];
  for (let after = start; ; after = all.at(-1)?.position ?? after) {
    const page = await log.readAll(after, PAGE);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

function streamTests(plain: Plain, { test, expect }: SuiteTools): void {
  test('a stream comes back in its order, in pages, with its versions; another stream is not in it', async () => {
    const [one, two] = plain();
    const events = sampleEnvelopes('stream', 5);
    expect(await one.append({ stream: 'pages', expectedVersion: 0, events: events.slice(0, 2) })).toEqual({ outcome: 'appended', version: 2 });
    expect(await two.append({ stream: 'pages', expectedVersion: 2, events: events.slice(2) })).toEqual({ outcome: 'appended', version: 5 });
    await one.append({ stream: 'pages of another', expectedVersion: 0, events: sampleEnvelopes('another', 1) });
    expect(numbered(await two.readStream('pages', 0, 3))).toEqual(['1 stream-0', '2 stream-1', '3 stream-2']);
    expect(numbered(await two.readStream('pages', 3, 3))).toEqual(['4 stream-3', '5 stream-4']);
    expect(await two.readStream('pages', 5, 3)).toEqual([]);
    expect(await two.readStream('nobody', 0, 3)).toEqual([]);
  });

  test('an envelope comes back as it was, whatever people wrote into it', async () => {
    const [one, two] = plain();
    const data = { nul: 'a\0b', half: '\ud800', quotes: `'"\\$1`, wide: 'é 漢 😀', big: 1e21, nothing: null, list: [1, [2]], __proto__x: {}, empty: '' };
    const envelope = sampleEnvelope('hostile', { data, causationid: 'cause' });
    await one.append({ stream: 'hostile', expectedVersion: 0, events: [envelope] });
    expect((await two.readStream('hostile', 0, 1))[0]?.envelope).toEqual(envelope);
  });
}

function conflictTests({ database, plain }: Stage, { test, expect }: SuiteTools): void {
  test('an append on another version writes nothing, neither before nor behind the end', async () => {
    const [one, two] = plain();
    await one.append({ stream: 'versions', expectedVersion: 0, events: sampleEnvelopes('first', 2) });
    for (const expectedVersion of [0, 1, 3, 9]) {
      expect(await two.append({ stream: 'versions', expectedVersion, events: sampleEnvelopes('other', 3) })).toEqual({ outcome: 'conflict' });
    }
    expect(ids(await one.readStream('versions', 0, 9))).toEqual(['first-0', 'first-1']);
  });

  test('of appends at once on one version exactly one is written, and wholly', async () => {
    const both = plain();
    for (let round = 0; round < 5; round += 1) {
      const stream = `race ${round}`;
      const attempts = Array.from({ length: WRITERS }, (_, writer) =>
        (writer % 2 === 0 ? both[0] : both[1]).append({ stream, expectedVersion: 0, events: sampleEnvelopes(`writer-${writer}`, 1 + (writer % 3)) }),
      );
      const outcomes = (await Promise.all(attempts)).map(({ outcome }) => outcome);
      expect(outcomes.filter(outcome => outcome === 'appended').length).toBe(1);
      const winner = outcomes.indexOf('appended');
      expect(ids(await both[0].readStream(stream, 0, 9))).toEqual(sampleEnvelopes(`writer-${winner}`, 1 + (winner % 3)).map(({ id }) => id));
    }
  });

  test('who holds a stream is not overtaken: writers at once each append on what they have read', async () => {
    const both = plain();
    const hold = (writer: number): Promise<unknown> =>
      (writer % 2 === 0 ? both[0] : both[1]).appendExclusively('held', async log => {
        const events = await log.readStream('held', 0, 1_000);
        return { expectedVersion: events.length, events: [sampleEnvelope(`held-${writer}`)] };
      });
    const rush = async (): Promise<void> => {
      for (let count = 0; count < EACH; count += 1) {
        const { length } = await both[1].readStream('held', 0, 1_000);
        await both[1].append({ stream: 'held', expectedVersion: length, events: [sampleEnvelope(`rush-${count}`)] });
      }
    };
    const [outcomes] = await Promise.all([Promise.all(Array.from({ length: WRITERS * 3 }, (_, writer) => hold(writer))), rush(), rush()]);
    expect(outcomes.filter(outcome => JSON.stringify(outcome).includes('appended')).length).toBe(WRITERS * 3);
    const events = await both[0].readStream('held', 0, 1_000);
    expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
  });

  test('a conflict undoes what ran alongside, the message and the mark', async () => {
    const [one] = plain();
    await database().query('create table suite_alongside (n int)');
    const request: AppendRequest = {
      stream: 'conflict undoes',
      expectedVersion: 0,
      events: sampleEnvelopes('undone', 1),
      handled: { group: 'undoes', messageId: 'm' },
      alongside: async session => {
        await session.query('insert into suite_alongside values (1)');
      },
    };
    expect(await one.append({ ...request, expectedVersion: 4 })).toEqual({ outcome: 'conflict' });
    expect((await database().query('select n from suite_alongside')).rows.length).toBe(0);
    expect(await one.append(request)).toEqual({ outcome: 'appended', version: 1 });
    expect((await database().query('select n from suite_alongside')).rows.length).toBe(1);
  });
}

function orderTests(plain: Plain, { test, expect }: SuiteTools): void {
  test('a reader that follows eight writers at once misses no event, sees none twice, and each stream in its order', async () => {
    const both = plain();
    const start = (await readToEnd(both[0])).at(-1)?.position;
    const seen: LogEvent[] = [];
    let writing = true;
    // Every other append stays open for a moment, so that later positions are committed before earlier ones.
    const write = async (writer: number): Promise<void> => {
      for (let version = 0; version < EACH; version += 1) {
        await (writer % 2 === 0 ? both[0] : both[1]).append({
          stream: `order ${writer}`,
          expectedVersion: version,
          events: [sampleEnvelope(`order-${writer}-${version}`)],
          alongside: async session => {
            if ((version + writer) % 2 === 0) await session.query('select pg_sleep(0.004)');
          },
        });
      }
    };
    const read = async (): Promise<void> => {
      for (let more = true; more; ) {
        const last = !writing;
        const page = await both[1].readAll(seen.at(-1)?.position ?? start, PAGE);
        seen.push(...page);
        more = page.length > 0 || !last;
      }
    };
    const reading = read();
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    writing = false;
    await reading;
    const ours = seen.filter(({ stream }) => stream.startsWith('order '));
    expect(ours.length).toBe(WRITERS * EACH);
    for (let writer = 0; writer < WRITERS; writer += 1) {
      const versions = ours.filter(({ stream }) => stream === `order ${writer}`).map(({ version }) => version);
      expect(versions).toEqual(Array.from({ length: EACH }, (_, index) => index + 1));
    }
  });

  test('events of one append stand together, in their order, and reading again gives the same', async () => {
    const [one, two] = plain();
    const start = (await readToEnd(one)).at(-1)?.position;
    await Promise.all(
      ['a', 'b', 'c'].map((name, index) =>
        (index % 2 === 0 ? one : two).append({ stream: `together ${name}`, expectedVersion: 0, events: sampleEnvelopes(name, 3) }),
      ),
    );
    const read = ids(await readToEnd(one, start));
    const groups = [read.slice(0, 3), read.slice(3, 6), read.slice(6)].sort();
    expect(groups).toEqual(['a', 'b', 'c'].map(name => sampleEnvelopes(name, 3).map(({ id }) => id)));
    expect(ids(await readToEnd(two, start))).toEqual(read);
  });
}

function backwardsTests(plain: Plain, { test, expect }: SuiteTools): void {
  test('read from its end, page by page, the log is what it is from its start', async () => {
    const [one, two] = plain();
    await one.append({ stream: 'backwards a', expectedVersion: 0, events: sampleEnvelopes('backwards-a', 3) });
    await two.append({ stream: 'backwards b', expectedVersion: 0, events: sampleEnvelopes('backwards-b', 2) });
    const found: LogEvent[] = [];
    for (;;) {
      const page = await two.readBack(found.at(-1)?.position, PAGE);
      if (page.length === 0) break;
      found.push(...page);
    }
    expect(ids(found.reverse())).toEqual(ids(await readToEnd(one)));
  });
}

function togetherTests({ database, plain }: Stage, { test, expect }: SuiteTools): void {
  const failing = (broken: () => boolean): InlineProjection => ({
    name: 'suite',
    project: async (session, events) => {
      for (const { stream, version, envelope } of events) {
        await session.query('insert into suite_projected values ($1, $2, $3)', [stream, version, envelope.id]);
      }
      if (broken()) throw new Error('the projection is broken');
    },
  });

  test('a projection is written with its events; when it fails, nothing of the append is there', async () => {
    await database().query('create table suite_projected (stream text, version int, id text)');
    let broken = true;
    const [one, two] = plain([failing(() => broken)]);
    const request: AppendRequest = {
      stream: 'projected',
      expectedVersion: 0,
      events: sampleEnvelopes('projected', 2),
      messages: [{ topic: 'suite', key: 'k', envelope: sampleEnvelope('projected message') }],
      handled: { group: 'projected', messageId: 'm' },
    };
    expect(await failureMessage(one.append(request))).toBe('the projection is broken');
    expect(await one.readStream('projected', 0, 9)).toEqual([]);
    expect((await database().query('select id from suite_projected')).rows.length).toBe(0);
    broken = false;
    expect(await two.append(request)).toEqual({ outcome: 'appended', version: 2 });
    expect((await database().query('select stream, version, id from suite_projected order by version')).rows).toEqual([
      { stream: 'projected', version: 1, id: 'projected-0' },
      { stream: 'projected', version: 2, id: 'projected-1' },
    ]);
  });

  test('what one message leads to is appended once, however often and at once it arrives', async () => {
    const both = plain();
    const request = (stream: string): AppendRequest => ({
      stream,
      expectedVersion: 0,
      events: sampleEnvelopes(stream, 1),
      handled: { group: 'once', messageId: 'm' },
    });
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? both[0] : both[1]).append(request(`once ${index}`))));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['appended', ...Array.from({ length: 5 }, () => 'repeated')]);
    expect(await both[1].append({ ...request('once other'), handled: { group: 'another', messageId: 'm' } })).toEqual({ outcome: 'appended', version: 1 });
  });

  test('no events is allowed: the mark and what runs alongside are committed, and no version is asked for', async () => {
    const [one] = plain();
    const handled = { group: 'refused', messageId: 'm' };
    expect(await one.append({ stream: 'refused', expectedVersion: 7, events: [], handled })).toEqual({ outcome: 'appended', version: 7 });
    expect(await one.append({ stream: 'refused', expectedVersion: 7, events: [], handled })).toEqual({ outcome: 'repeated' });
  });
}

function readerTests({ database, plain }: Stage, { test, expect }: SuiteTools): void {
  test('a named reader goes on where it stopped; a failed step is undone with what it wrote', async () => {
    const [one, two] = plain();
    await database().query('create table suite_read (id text)');
    const apply: Parameters<EventLog['follow']>[2] = async (session, events) => {
      for (const id of ids(events)) await session.query('insert into suite_read values ($1)', [id]);
    };
    await one.append({ stream: 'followed', expectedVersion: 0, events: sampleEnvelopes('followed', 3) });
    const failure = one.follow('suite reader', 1_000, async (session, events) => {
      await apply(session, events);
      throw new Error('the reader is broken');
    });
    expect(await failureMessage(failure)).toBe('the reader is broken');
    expect((await database().query('select id from suite_read')).rows.length).toBe(0);
    const all = ids(await readToEnd(one));
    let steps = 0;
    while ((await two.follow('suite reader', PAGE, apply)) > 0) steps += 1;
    expect(steps).toBe(Math.ceil(all.length / PAGE));
    expect((await database().query<{ id: string }>('select id from suite_read')).rows.map(({ id }) => id)).toEqual(all);
    expect(await one.follow('suite reader', PAGE, apply)).toBe(0);
    await one.rewind('suite reader', async session => {
      await session.query('delete from suite_read');
    });
    expect(await one.follow('suite reader', 2, apply)).toBe(2);
    expect((await database().query<{ id: string }>('select id from suite_read')).rows.map(({ id }) => id)).toEqual(all.slice(0, 2));
  });

  test('two processes at one reader give it each event once and in order', async () => {
    const both = plain();
    await database().query('create table suite_shared_reader (n int generated always as identity, id text)');
    await both[0].append({ stream: 'shared reader', expectedVersion: 0, events: sampleEnvelopes('shared', 20) });
    const all = ids(await readToEnd(both[0]));
    const run = async (log: EventLog): Promise<void> => {
      for (let round = 0; round < all.length; round += 1) {
        await log.follow('suite shared reader', 3, async (session, events) => {
          for (const id of ids(events)) await session.query('insert into suite_shared_reader (id) values ($1)', [id]);
        });
      }
    };
    await Promise.all([run(both[0]), run(both[1]), run(both[0])]);
    expect((await database().query<{ id: string }>('select id from suite_shared_reader order by n')).rows.map(({ id }) => id)).toEqual(all);
  });
}

function versionTests(logs: EventLogSuiteSubject['logs'], { test, expect }: SuiteTools): void {
  test('events are brought to the present version wherever they are read; one from the future is not guessed at', async () => {
    const upcast: Upcast = envelope => {
      if (envelope.schemaversion > 2) throw new RangeError('from the future');
      return { ...envelope, schemaversion: 2, data: { ...envelope.data, added: true } };
    };
    const [one, two] = logs({ projections: [], upcast });
    await one.append({ stream: 'old', expectedVersion: 0, events: [sampleEnvelope('old', { data: { a: 1 } })] });
    const [event] = await two.readStream('old', 0, 1);
    expect([event?.envelope.schemaversion, event?.envelope.data]).toEqual([2, { a: 1, added: true }]);
    expect((await readToEnd(two)).find(({ stream }) => stream === 'old')?.envelope.data).toEqual({ a: 1, added: true });
    await one.append({ stream: 'future of none', expectedVersion: 0, events: [sampleEnvelope('future', { schemaversion: 3 })] });
    expect(await failureName(two.readStream('future of none', 0, 1))).toBe('RangeError');
  });
}
