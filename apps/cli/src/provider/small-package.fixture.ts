/** For tests: packages as a registry serves them, byte by byte. */
import { gzipSync } from 'node:zlib';

export interface TarEntry {
  readonly name: string;
  readonly body: string;
  /** `0` a file, `2` a symbolic link, `x` an extended header. */
  readonly type?: string;
}

function header({ name, body, type = '0' }: TarEntry): Buffer {
  const block = Buffer.alloc(512);
  block.write(name.slice(0, 100), 0);
  block.write('0000644\0', 100);
  block.write(`${Buffer.byteLength(body).toString(8).padStart(11, '0')}\0`, 124);
  block.write('        ', 148);
  block.write(type, 156);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

const padded = (body: string): Buffer => Buffer.concat([Buffer.from(body), Buffer.alloc((512 - (Buffer.byteLength(body) % 512)) % 512)]);

export const tar = (entries: readonly TarEntry[]): Buffer =>
  Buffer.concat([...entries.flatMap(entry => [header(entry), padded(entry.body)]), Buffer.alloc(1024)]);

/** An extended header that gives the next entry a long name. */
export function longName(name: string): TarEntry {
  const rest = ` path=${name}\n`;
  const length = rest.length + String(rest.length + 2).length;
  return { name: 'PaxHeader', type: 'x', body: `${length}${rest}` };
}

export const tgz = (entries: readonly TarEntry[]): Buffer => gzipSync(tar(entries));
