/** Turns the option table into flags of a command, and a command's options back into values by flag. */
import { SETTINGS, type Setting } from '@weir/contract';
import { type Command, Option } from 'commander';

const withFlag = (SETTINGS as readonly Setting[]).filter(setting => setting.flag !== null);

const camel = (flag: string): string => flag.replace(/^--/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function optionFor(setting: Setting): Option {
  const { flag, type, description } = setting;
  if (type.kind === 'boolean') return new Option(`${flag}`, description);
  if (type.kind === 'list')
    return new Option(`${flag} <text>`, `${description} May be repeated.`).argParser((value: string, all: readonly string[] | undefined) => [
      ...(all ?? []),
      value,
    ]);
  const option = new Option(`${flag} <value>`, description);
  return type.kind === 'choice' ? option.choices([...type.values]) : option;
}

/** Adds the flags of the named options; a name without a flag is a mistake of the caller. */
export function addSettingFlags(command: Command, names: readonly string[]): Command {
  for (const setting of withFlag) if (names.includes(setting.name)) command.addOption(optionFor(setting));
  return command;
}

/** Values given on the command line, by flag. */
export function givenFlags(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  for (const { flag } of withFlag) {
    const value = flag === null ? undefined : options[camel(flag)];
    if (flag !== null && value !== undefined) given[flag] = value;
  }
  return given;
}
