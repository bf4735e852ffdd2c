/** Many reviews with their events, as copies of one that the real commands wrote. */
import { seedRound } from './seed-reviews.fixture.ts';
import { idOfChange, type SeededWorld } from './seeded-world.fixture.ts';

/** Copy n is n seconds older, and has the number n. */
const COPY_ROWS = `insert into weir_reviews
  (review_id, forge, origin, repository, change_number, status, archived, updated_at, status_since, open_blockers, words, list_row, page)
  select md5(n::text), forge, origin, repository, n, status, archived, updated_at - n * 1000, status_since - n * 1000, open_blockers,
    replace(words, '#1 ', '#' || n || ' '),
    replace(replace(replace(list_row::text, $1, md5(n::text)), '"number":1,', '"number":' || n || ','), '"Change 1"', '"Change ' || n || '"')::json,
    replace(page::text, $1, md5(n::text))::json
  from weir_reviews, generate_series(2, $2::int) as n where review_id = $1`;
const COPY_EVENTS = `insert into weir_events (stream, version, envelope)
  select md5(n::text), version, replace(envelope::text, $1, md5(n::text))::json from weir_events, generate_series(2, $2::int) as n where stream = $1`;

export async function manyReviews(world: SeededWorld, count: number): Promise<void> {
  await seedRound(world, { change: 1, round: 1, at: new Date().toISOString(), finds: ['blocker', 'minor'] });
  for (const copy of [COPY_ROWS, COPY_EVENTS]) await world.storage.sql.query(copy, [idOfChange(1), count]);
  await world.storage.sql.query('analyze');
}
