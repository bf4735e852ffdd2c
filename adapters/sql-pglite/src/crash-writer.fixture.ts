/** The process that the crash test kills: writes numbers into two tables and reports each one that is committed. */
import { createPglite } from './create-pglite.ts';

const [, , dataFolder = '', from = '0'] = process.argv;
const sql = await createPglite({ dataFolder, onNotice: () => undefined });
await sql.query('create table if not exists ones (number int primary key, filling text)');
await sql.query('create table if not exists twins (number int primary key)');
for (let number = Number(from); ; number += 1) {
  await sql.transaction(async session => {
    await session.query("insert into ones values ($1, repeat('x', 2000))", [number]);
    await session.query('insert into twins values ($1)', [number]);
  });
  process.send?.(number);
}
