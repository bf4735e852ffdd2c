/**
 * Tells stand-ins from secrets: words such as `example`, interpolation, masks, sequences, repetition, and the values
 * that vendors print in their own documentation. Words shorter than four letters are left out: random text holds them.
 */
const WORDS =
  /example|placeholder|change.?(?:me|it|this)|dummy|sample|your[-_a-z]|insert|replace|redacted|removed|hidden|lorem|fixme|demo[-_.]|default|qwerty|asdfgh|deadbeef|cafebabe|foobar|invalid|secret.?here|undefined|not.?a.?real|goes.?here/i;
/** Four letters in one case: in mixed case random text of 100 characters would hold one of them too often. */
const SHORT_WORDS = /[Tt]est|TEST|[Ff]ake|FAKE|[Mm]ock|MOCK|todo|TODO|x{4,}|X{4,}/;
const INTERPOLATION = /[$#]\{|\{\{|\$\(|\$\[|<[^>]{0,80}>|%[({][a-z]|%[sdv]\b|\*{3}|\.{3}|…|^[$%@{[(]|^__\w+__$|^!|=>/i;
const REFERENCE =
  /process\.env|environ|getenv|env\.|env\(|secrets?\.[A-Za-z]|vars\.|config\.|vault:|^op:\/\/|^enc(?:[[:(]|rypted:)|^\{cipher\}|^arn:|^ref\+|^(?:aws|gcp|azure)-?sm:|keyvault|secretsmanager/i;

/** Ends of values that vendors and emulators document for everybody; only the ends, so that this file holds no secret. */
const DOCUMENTED_ENDS = [
  '0c838347Ae178B4a', // GitHub, docs of the token formats
  'KBHBeksoGMGw==', // Azurite and the Azure Storage emulator
  'aGQy67XIw/Jw==', // Azure Cosmos DB emulator
  'f36POk6yJV_adQssw5c', // jwt.io, HS256
  'HrHDcEfxjoYZgeFONFh7HgQ', // jwt.io, older HS256
  'QzWXcXNrz0ogtVhfEd2o', // jwt.io, HS256 with base64 secret
  'HqLyjWDarjtT1zdp7dc', // Stripe, public test key
  'n_3namBGewQe', // Google Maps, docs
  'ILbZam1KYY3TG', // MinIO, the public play server
  'd5efcae784d7bf4f2ff80', // Hardhat and Anvil, first development account
] as const;

/** Neighbours that make a run; random text of 100 hex digits has one this long about once in 5,000, of base 62 far less often. */
const RUN_LENGTH = 6;
/** Share of the text that lies in runs when it was typed by hand. */
const RUN_SHARE = 0.4;
const MIN_DISTINCT = 6;

/** Characters that lie in long runs with this step between neighbours: 1 counts up, -1 down, 0 repeats. */
function charactersInRuns(text: string, step: -1 | 0 | 1): number {
  let total = 0;
  let run = 1;
  for (let index = 1; index <= text.length; index++) {
    if (text.charCodeAt(index) - text.charCodeAt(index - 1) === step) run++;
    else {
      if (run >= RUN_LENGTH) total += run;
      run = 1;
    }
  }
  return total;
}

/** True when much of the text counts up or down (`123456`, `abcdef`, `fedcba`) or repeats one character. */
function hasSequence(text: string): boolean {
  const lower = text.toLowerCase();
  return charactersInRuns(lower, 0) + charactersInRuns(lower, 1) + charactersInRuns(lower, -1) >= RUN_SHARE * text.length;
}

/** True when the whole text is one block three times or more (`a1b2a1b2a1b2`). */
function isPeriodic(text: string): boolean {
  for (let period = 1; period * 3 <= text.length && period <= 16; period++) if (text.startsWith(text.slice(period))) return true;
  return false;
}

/** True when the value stands for a secret and is none. */
export const isPlaceholder = (value: string): boolean =>
  WORDS.test(value) ||
  SHORT_WORDS.test(value) ||
  INTERPOLATION.test(value) ||
  REFERENCE.test(value) ||
  DOCUMENTED_ENDS.some(end => value.endsWith(end)) ||
  hasSequence(value) ||
  isPeriodic(value) ||
  (value.length >= 16 && new Set(value).size < MIN_DISTINCT);
