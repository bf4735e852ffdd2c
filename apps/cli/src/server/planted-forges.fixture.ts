/** Simulated forges with one repository, a scripted model, and one server that both are registered with. */
import { type Forge, type ForgeKind, startForge } from '@weir/forge-simulator';
import { type ScriptedModel, startScriptedModel } from '@weir/scripted-model';
import { startTestServer, type TestServer } from './test-server.fixture.ts';

export const REPOSITORY = { owner: 'acme', name: 'shop' };
export const NAME = 'acme/shop';

/** The scripted model reports the marked lines, and no others. */
export const file = (...marked: readonly number[]): string =>
  Array.from({ length: 30 }, (_, at) =>
    marked.includes(at + 1)
      ? `const value${at + 1} = read(); // weir-plant: major correctness Value ${at + 1} is never checked`
      : `const value${at + 1} = ${at + 1};`,
  ).join('\n');

export type Permissions = Readonly<Record<string, Parameters<Forge['seed']['permit']>[2]>>;

export interface PlantedForges {
  readonly server: TestServer;
  readonly forges: ReadonlyMap<ForgeKind, Forge>;
  close(): Promise<void>;
}

/** @param plant what else a forge has before the server starts */
export async function plantForges(
  kinds: readonly ForgeKind[],
  permissions: Permissions,
  plant: (forge: Forge) => Promise<unknown> = async () => undefined,
): Promise<PlantedForges> {
  const model: ScriptedModel = await startScriptedModel({});
  const forges = new Map<ForgeKind, Forge>();
  for (const kind of kinds) forges.set(kind, await planted(kind, permissions, plant));
  const server = await startTestServer({ modelUrl: model.baseUrl, allowOrigins: [model.origin, ...[...forges.values()].map(({ url }) => url)] });
  return {
    ...{ server, forges },
    close: async () => {
      await server.close();
      await Promise.all([...forges.values()].map(forge => forge.close()));
      await model.close();
    },
  };
}

async function planted(kind: ForgeKind, permissions: Permissions, plant: (forge: Forge) => Promise<unknown>): Promise<Forge> {
  const forge = await startForge({ kind });
  const { seed } = forge;
  seed.account({ login: 'acme', kind: 'organization' });
  for (const login of Object.keys(permissions)) seed.account({ login });
  await seed.repository(REPOSITORY);
  for (const [login, permission] of Object.entries(permissions)) seed.permit(NAME, login, permission);
  await seed.push({ repository: NAME, branch: 'main', by: 'alice', files: { 'src/app.ts': file() } });
  await plant(forge);
  return forge;
}
