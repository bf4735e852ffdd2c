/** Where Weir keeps things on this machine (XDG base directories). `weir doctor` prints them. */
import { homedir } from 'node:os';
import path from 'node:path';

const base = (env: NodeJS.ProcessEnv, name: string, fallback: string): string => {
  const value = env[name];
  return value !== undefined && path.isAbsolute(value) ? value : path.join(homedir(), fallback);
};

export const configFile = (env: NodeJS.ProcessEnv = process.env): string => path.join(base(env, 'XDG_CONFIG_HOME', '.config'), 'weir', 'config.yaml');

export const stateFolder = (setting: string | null, env: NodeJS.ProcessEnv = process.env): string =>
  setting === null ? path.join(base(env, 'XDG_STATE_HOME', path.join('.local', 'state')), 'weir') : path.resolve(setting);

export const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string => path.join(base(env, 'XDG_CACHE_HOME', '.cache'), 'weir');

/** Names another data folder; `weir serve --data-dir` sets it for its process. */
export const DATA_FOLDER_VARIABLE = 'WEIR_DATA_DIR';

/** What must last: the embedded database. */
export const dataFolder = (env: NodeJS.ProcessEnv = process.env): string => {
  const named = env[DATA_FOLDER_VARIABLE];
  return named !== undefined && path.isAbsolute(named) ? named : path.join(base(env, 'XDG_DATA_HOME', path.join('.local', 'share')), 'weir');
};
