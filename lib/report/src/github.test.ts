import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { finding, report } from '../fixtures/sample-report.ts';
import { renderGithub } from './github.ts';

test(`${verifies('REV-20a')} workflow commands: the headline first, then findings with their place`, () => {
  expect(renderGithub(report())).toBe(`\
::notice title=Weir::Not ready: 1 blocker, 1 major. Read: 18 of 18 files, whole. No model is configured: only the deterministic specialists ran.
::error file=src/settlement/ledger.ts,line=42,endLine=42,title=blocker%3A Ledger posts outside the transaction::A refused payment is sent again for ever.%0Asecrets/aws-key · 3a
::error file=src/settlement/retry.ts,line=17,endLine=18,title=major%3A Retry has no ceiling::A refused payment is sent again for ever.%0Acorrectness/retry · 2c
`);
});

/** How the runner reads a line, in short: command, properties, message, unescaped. */
function runnerReads(line: string) {
  const match = /^::(\w+) ([^:]*)::(.*)$/s.exec(line);
  const data = (text: string) => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
  const property = (text: string) => data(text.replaceAll('%3A', ':').replaceAll('%2C', ','));
  const properties = Object.fromEntries(
    (match?.[2] ?? '').split(',').map(pair => [pair.slice(0, pair.indexOf('=')), property(pair.slice(pair.indexOf('=') + 1))]),
  );
  return { command: match?.[1], properties, message: data(match?.[3] ?? '') };
}

test(`${verifies('REV-20a')} no text starts a command of its own, and the path arrives as it is`, () => {
  const attacks = ['x\n::add-mask::y', 'x\r\n::set-output name=a::b', '::stop-commands::t', 'a,line=1::b', '100%0A::error::x', 'x ##[add-path]/tmp'];
  for (const attack of attacks) {
    const lines = renderGithub(report({ headline: attack, findings: [finding({ path: `d/${attack}`, title: attack, message: attack, rule: 'a/b' })] })).split(
      /\r\n|\r|\n/,
    );
    expect(lines).toHaveLength(3);
    expect(lines[2]).toBe('');
    expect(lines.slice(0, 2).map(line => runnerReads(line).command)).toEqual(['notice', 'error']);
    const { properties } = runnerReads(lines[1] ?? '');
    expect(Object.keys(properties)).toEqual(['file', 'line', 'endLine', 'title']);
    expect(properties.file).toBe(`d/${attack}`);
    expect(properties.line).toBe('17');
  }
});

test(`${verifies('REV-20a')} levels follow severity; an old line and a whole file have no line`, () => {
  const at = { kind: 'line', side: 'old', line: 3, endLine: 3, hunk: 0, moved: false } as const;
  const lines = renderGithub(
    report({
      findings: [
        finding({ severity: 'note', title: 'n' }),
        finding({ severity: 'minor', title: 'm', placement: at, message: 'gone' }),
        finding({ severity: 'major', title: 'w', line: 0, placement: { kind: 'file', reason: 'x' }, message: 'whole' }),
      ],
    }),
  ).split('\n');
  expect(lines.slice(1, 4)).toEqual([
    '::error file=src/settlement/retry.ts,title=major%3A w::whole%0Acorrectness/retry · 2c',
    '::warning file=src/settlement/retry.ts,title=minor%3A m::gone%0Acorrectness/retry · 2c · the finding is about line 3 of the file before the change',
    '::notice file=src/settlement/retry.ts,line=17,endLine=18,title=note%3A n::A refused payment is sent again for ever.%0Acorrectness/retry · 2c',
  ]);
});

test(`${verifies('REV-14', 'REV-16b')} more annotations than GitHub shows are all in the log and said; an incomplete reading is a warning`, () => {
  const coverage = [{ path: 'a', reading: 'skipped', reason: 'too large', byRule: false } as const];
  const lines = renderGithub(report({ complete: false, coverage, findings: Array.from({ length: 12 }, () => finding()) })).split('\n');
  expect(lines.filter(line => line.startsWith('::error '))).toHaveLength(12);
  expect(lines[0]).toMatch(
    /^::warning title=Weir::.*Read: 0 of 1 file, whole\. Not read: 1\. .*GitHub shows 10 annotations of a level for each step; the log has all 12 of level error\.$/,
  );
});
