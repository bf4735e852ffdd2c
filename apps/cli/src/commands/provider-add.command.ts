/** `weir provider add`: a provider of the operator's own, from any description, ready to be called (PRV-1). */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, type ExitCode, type ProviderDescriptor } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { type Flags, loadSettings, operatorSources } from '../composition/load-settings.ts';
import { writeOut } from '../output.ts';
import { compileFromSpec, keepDescription, writeArtifacts } from '../provider/compile-provider.ts';
import { readHead } from '../provider/description-head.ts';
import { childScaffold, descriptorScaffold, type PinnedDescription } from '../provider/descriptor-scaffold.ts';
import { fetchDescription } from '../provider/fetch-description.ts';
import { DESCRIPTOR_FILE, loadProvider, ownRoot, providerNames } from '../provider/provider-files.ts';
import { digestOf, parseDescription, readDescriptionFile } from '../provider/read-description.ts';
import { describeCompiled } from './provider.command.ts';

export interface AddRequest {
  readonly name: string;
  /** A file, or an https address, of the description. */
  readonly spec: string | undefined;
  readonly baseUrl: string | undefined;
  readonly parent: string | undefined;
  readonly kind: ProviderDescriptor['kind'] | undefined;
  readonly flags: Flags;
}

const NAME = /^[a-z][a-z0-9-]{1,31}$/;

async function assertFree({ name, spec, parent, baseUrl }: AddRequest): Promise<void> {
  if (!NAME.test(name))
    throw new AppError('USAGE', `${name} is no name of a provider: lower-case letters, digits and hyphens, 2 to 32 of them, a letter first`);
  if (spec === undefined && parent === undefined)
    throw new AppError('USAGE', 'a provider is made from a description or from another provider', {
      next: `weir provider add ${name} --spec <file or https address>, or --extends <provider>.`,
    });
  if (baseUrl !== undefined && !/^https?:\/\//.test(baseUrl)) throw new AppError('USAGE', `--base-url ${baseUrl} is no address like https://host`);
  if ((await providerNames()).some(known => known.builtIn && known.name === name))
    throw new AppError('USAGE', `${name} is the name of a built-in provider`, { next: 'Take another name; --extends makes it from the built-in one.' });
  const folder = path.join(ownRoot(), name);
  if (existsSync(folder)) throw new AppError('USAGE', `${folder} is there already, and is not overwritten`, { next: 'Edit it, or take another name.' });
}

interface Fetched {
  readonly bytes: Buffer;
  readonly description: PinnedDescription;
  /** Where a description that names no server is served from. */
  readonly servedFrom: string | undefined;
}

async function readSpec({ name, spec, flags }: AddRequest & { readonly spec: string }, signal: AbortSignal): Promise<Fetched> {
  const remote = /^https?:\/\//.test(spec);
  const bytes = remote
    ? await fetchDescription({ url: spec }, { allowOrigins: loadSettings(await operatorSources(flags)).get<readonly string[]>('network.allowOrigins'), signal })
    : await readDescriptionFile(spec);
  const head = readHead(parseDescription(name, bytes, undefined));
  const ending = /^\s*[{[]/.test(bytes.toString('utf8', 0, 64)) ? 'json' : 'yaml';
  const source = remote ? { instance_url: spec, retrieved_at: new Date().toISOString().slice(0, 10) } : { file: `description.${ending}` };
  return { bytes, description: { head, source, digest: digestOf(bytes) }, servedFrom: remote ? new URL(spec).origin : undefined };
}

async function scaffoldText({ name, kind, parent, baseUrl }: AddRequest, fetched: Fetched | undefined): Promise<string> {
  const description = fetched?.description;
  if (parent !== undefined) return childScaffold({ name, kind, baseUrl, description, parent: (await loadProvider(parent)).descriptor });
  if (fetched === undefined) throw new Error('a request without a parent has a description');
  const address = baseUrl ?? fetched.description.head.origin ?? fetched.servedFrom;
  return descriptorScaffold({ name, kind: kind ?? 'infra', baseUrl: address, description: fetched.description });
}

/** Writes the descriptor and, where the description is at hand, its table. */
export async function runProviderAdd(request: AddRequest, signal: AbortSignal): Promise<ExitCode> {
  await assertFree(request);
  const { name, spec } = request;
  const fetched = spec === undefined ? undefined : await readSpec({ ...request, spec }, signal);
  const text = await scaffoldText(request, fetched);
  const folder = path.join(ownRoot(), name);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, DESCRIPTOR_FILE), text, { flag: 'wx' });
  await writeOut(`wrote ${path.join(folder, DESCRIPTOR_FILE)}: read its comments\n`);
  const provider = await loadProvider(name);
  if (fetched !== undefined) await keepDescription(provider, fetched.bytes);
  const compiled = await compileFromSpec(provider, undefined).catch((cause: unknown) => {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError(cause.code, cause.message, { next: `The descriptor stays: correct it, then run weir provider compile ${name}.`, cause });
  });
  if (compiled === undefined) {
    await writeOut(`its description is not at hand yet: weir provider pin ${name}\n`);
    return EXIT.clean;
  }
  await writeOut(describeCompiled(compiled.table, await writeArtifacts(provider, compiled)));
  await writeOut(`next: weir provider search ${name} <words>; weir provider call ${name} <operation> --dry-run; weir provider lock\n`);
  return EXIT.clean;
}
