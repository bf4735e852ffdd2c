/** What a command of the command line is: options and arguments in, an exit code out. */
import type { ExitCode } from '@weir/contract';

export type Options = Readonly<Record<string, unknown>>;
export type Action = (options: Options, args: readonly string[], signal: AbortSignal) => Promise<ExitCode>;
/** Registers the work of a command with the parser. */
export type Act = (action: Action) => (...parameters: unknown[]) => void;

export const isSet = (options: Options, name: string): boolean => options[name] === true;
export const textOf = (options: Options, name: string): string | undefined => options[name] as string | undefined;
