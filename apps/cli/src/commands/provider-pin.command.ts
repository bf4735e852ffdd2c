/** `weir provider pin`: fetches the description that a provider names, holds it to its digest, and compiles it (PRV-2). */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { type Flags, loadSettings, operatorSources } from '../composition/load-settings.ts';
import { writeOut } from '../output.ts';
import { checkDocuments, documentLine } from '../provider/check-documents.ts';
import { compileProvider, keepDescription, writeArtifacts } from '../provider/compile-provider.ts';
import { descriptionAddress } from '../provider/description-address.ts';
import { readHead } from '../provider/description-head.ts';
import { fetchDescription } from '../provider/fetch-description.ts';
import { assertWritable, DESCRIPTOR_FILE, loadProvider, type ProviderFiles } from '../provider/provider-files.ts';
import { digestOf, parseDescription, readDescriptionFile } from '../provider/read-description.ts';
import { replaceScalars } from '../provider/replace-scalars.ts';
import { describeCompiled } from './provider.command.ts';

export interface PinRequest {
  readonly provider: string;
  /** A file with the bytes, instead of the network. */
  readonly from: string | undefined;
  /** Takes another digest than the pinned one. */
  readonly update: boolean;
  readonly registry: string;
  readonly flags: Flags;
}

async function bytesFor({ descriptor, folder }: ProviderFiles, request: PinRequest, signal: AbortSignal): Promise<Buffer> {
  const { source } = descriptor.spec;
  if (request.from !== undefined) return readDescriptionFile(request.from);
  if ('file' in source) return readDescriptionFile(path.resolve(folder, source.file));
  const settings = loadSettings(await operatorSources(request.flags));
  return fetchDescription(descriptionAddress(source, request.registry), { allowOrigins: settings.get<readonly string[]>('network.allowOrigins'), signal });
}

const withDigest = (provider: ProviderFiles, digest: string): ProviderFiles => ({
  ...provider,
  descriptor: { ...provider.descriptor, spec: { ...provider.descriptor.spec, digest } },
});

const today = (): string => new Date().toISOString().slice(0, 10);

/** The descriptor's text with the new digest, and the day where the source has one. */
async function updatedText({ folder, descriptor }: ProviderFiles, digest: string): Promise<string> {
  return replaceScalars(await readFile(path.join(folder, DESCRIPTOR_FILE), 'utf8'), [
    { key: ['spec', 'digest'], value: digest },
    ...('instance_url' in descriptor.spec.source ? [{ key: ['spec', 'source', 'retrieved_at'], value: today() }] : []),
  ]);
}

/** Everything is checked before anything is written: a description that does not compile leaves the provider as it is. */
export async function runProviderPin(request: PinRequest, signal: AbortSignal): Promise<ExitCode> {
  const pinned = await loadProvider(request.provider);
  assertWritable(pinned);
  const { spec } = pinned.descriptor;
  const bytes = await bytesFor(pinned, request, signal);
  const digest = digestOf(bytes);
  if (digest !== spec.digest && !request.update) {
    throw new AppError('COMPILE_FAILED', `the description is not the pinned one:\n  pinned ${spec.digest}\n  found  ${digest}`, {
      next: `If the new one is meant: weir provider pin ${pinned.name} --update. See what it changes: weir provider diff ${pinned.name} --to <file>.`,
    });
  }
  const description = parseDescription(pinned.name, bytes, spec.template_values);
  const provider = withDigest(pinned, digest);
  const compiled = await compileProvider(provider, description);
  const documents = await checkDocuments(provider, undefined);
  const descriptor = digest === spec.digest ? undefined : await updatedText(provider, digest);
  await keepDescription(provider, bytes);
  if (descriptor !== undefined) await writeFile(path.join(provider.folder, DESCRIPTOR_FILE), descriptor);
  const text = await writeArtifacts(provider, compiled);
  await writeOut(`${describeCompiled(compiled.table, text)}${documentLine(documents)}pinned ${digest}\n`);
  const { version } = readHead(description);
  if (descriptor !== undefined && version !== spec.api_version)
    await writeOut(`the description calls its version ${version}, spec.api_version says ${spec.api_version}: correct that if it has moved\n`);
  return EXIT.clean;
}
