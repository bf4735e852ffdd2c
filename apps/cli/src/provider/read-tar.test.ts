import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { readTar } from './read-tar.ts';
import { longName, tar } from './small-package.fixture.ts';

/** The archive in pieces of a few bytes, so that every boundary is crossed. */
async function* pieces(bytes: Buffer, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = async (bytes: Buffer, member: string) => (await readTar(pieces(bytes), member))?.toString('utf8');
const archive = tar([
  { name: 'package/package.json', body: '{}' },
  { name: 'package/a/spec.json', body: 'x'.repeat(1_000) },
]);

describe(`${verifies('PRV-2')} one file of a package`, () => {
  test('is found below the top folder, whatever its name, and nothing else is', async () => {
    expect(await read(archive, 'a/spec.json')).toBe('x'.repeat(1_000));
    expect(await read(tar([{ name: 'other-1.0/spec.json', body: 'y' }]), 'spec.json')).toBe('y');
    expect(await read(archive, 'spec.json')).toBeUndefined();
    expect(await read(tar([{ name: 'package/empty.json', body: '' }]), 'empty.json')).toBe('');
  });

  test('has a long name from an extended header, which holds for one entry', async () => {
    const deep = `package/${'d/'.repeat(80)}spec.json`;
    const long = tar([longName(deep), { name: 'package/short', body: 'long' }, { name: 'package/next.json', body: 'next' }]);
    expect(await read(long, deep.slice('package/'.length))).toBe('long');
    expect(await read(long, 'next.json')).toBe('next');
  });

  test('is no link, and no path that climbs is followed', async () => {
    expect(await read(tar([{ name: 'package/spec.json', type: '2', body: '' }]), 'spec.json')).toBeUndefined();
    expect(await read(tar([{ name: 'package/../../spec.json', body: 'climbs' }]), 'spec.json')).toBeUndefined();
  });

  test.each([
    ['cut inside a file', archive.subarray(0, 1_200), 'ends early'],
    ['not an archive', Buffer.from('<html>'.repeat(200)), 'header'],
    ['a header that was changed', Buffer.concat([Buffer.from('X'), archive.subarray(1)]), 'sum'],
  ])('is refused in an archive that is %s', async (_, bytes, reason) => {
    await expect(read(bytes, 'a/spec.json')).rejects.toMatchObject({ code: 'COMPILE_FAILED', message: expect.stringContaining(reason) as unknown });
  });

  test('is refused before it is read where it is over the bound', async () => {
    const huge = tar([{ name: 'package/spec.json', body: '' }]);
    huge.write(`${(33 * 1024 * 1024).toString(8).padStart(11, '0')}\0`, 124);
    huge.write('        ', 148);
    const sum = huge.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    huge.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    await expect(read(huge, 'spec.json')).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' });
  });
});
