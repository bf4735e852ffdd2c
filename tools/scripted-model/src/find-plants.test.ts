import { expect, test } from 'vitest';
import { findPlants } from './find-plants.ts';

const MARK = '// weir-plant: major correctness Off by one';
const places = (prompt: string) => findPlants(prompt).map(({ path, line, severity, category, title }) => [path, line, severity, category, title]);

test('a mark on an added line is a plant, with its line as it is shown', () => {
  expect(findPlants(`=== src/a.ts\n@@ old 1,1 new 1,2 @@\n1 1  x\n. 2 +  y ${MARK}`)).toEqual([
    { path: 'src/a.ts', line: 2, severity: 'major', category: 'correctness', title: 'Off by one', code: `  y ${MARK}` },
  ]);
});

test.each([
  ['=== src/a.ts', 'src/a.ts'],
  ['=== src/a b.ts (added)', 'src/a b.ts'],
  ['=== src/a (copy).ts (renamed, from src/a (1).ts, mode 100644 to 100755)', 'src/a (copy).ts'],
  ['=== src/a (copy)', 'src/a (copy)'],
  ['=== b.bat (lines end in CR LF)', 'b.bat'],
])('%s names %s', (heading, path) => {
  expect(places(`${heading}\n. 12 +${MARK}`)).toEqual([[path, 12, 'major', 'correctness', 'Off by one']]);
});

test.each(['11 12  x', '11 . -x', 'x', '+x', '. . +x', '@@ old 1,1 new 1,1 @@'])('a line that starts with "%s" is not an added one', start => {
  expect(findPlants(`=== a.ts\n${start} ${MARK}`)).toEqual([]);
});

test.each(['weir-plant: major', 'weir-plant: major correctness', 'weir plant: major correctness x', 'Weir-plant'])('"%s" is no mark', mark => {
  expect(findPlants(`=== a.ts\n. 1 +// ${mark}`)).toEqual([]);
});

test('a mark above every heading finds no file', () => {
  expect(findPlants(`. 12 +${MARK}`)).toEqual([]);
});

test('each file holds its own marks, in the order of the text', () => {
  const prompt = `=== a.ts\n. 1 +${MARK}\n. 2 +ok\n=== b.py\n. 9 +# weir-plant: note - A note -->\n. 10 +/* weir-plant: blocker security Open door */`;
  expect(places(prompt)).toEqual([
    ['a.ts', 1, 'major', 'correctness', 'Off by one'],
    ['b.py', 9, 'note', null, 'A note'],
    ['b.py', 10, 'blocker', 'security', 'Open door'],
  ]);
});

test('very long lines are read in linear time', () => {
  const blanks = ' '.repeat(2_000_000);
  const prompt = `=== a.ts\n${blanks}. 12 +${MARK}\n. 1 +${'weir-plant: '.repeat(200_000)}\n. 2 +weir-plant: note - x${blanks}*/x\n=== ${'('.repeat(2_000_000)}`;
  expect(findPlants(prompt)).toHaveLength(2);
});
