/** The same outage as in the test that this loads, for half a minute. */
process.env['WEIR_OUTAGE_SECONDS'] = '30';
await import('./database-gone.int.test.ts');
