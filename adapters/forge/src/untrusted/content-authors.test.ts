/** The table against the contract: wherever a result has somebody in it, the table says what they wrote. */
import { Actor, CAPABILITIES, VERBS } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { CONTENT_AUTHORS } from './content-authors.ts';

/** Places of people in a result, with `[]` behind a list. */
function* peopleIn(schema: z.core.$ZodType, place = ''): Generator<string> {
  if (schema === Actor) yield place;
  else if (schema instanceof z.ZodNullable) yield* peopleIn(schema.unwrap(), place);
  else if (schema instanceof z.ZodArray) yield* peopleIn(schema.element, `${place}[]`);
  else if (schema instanceof z.ZodObject) {
    for (const [name, member] of Object.entries(schema.shape as Record<string, z.core.$ZodType>))
      yield* peopleIn(member, place === '' ? name : `${place}.${name}`);
  }
}

/** People who wrote nothing of the result. */
const NO_AUTHORS = new Set([
  'account.whoami ',
  'user.get ',
  'issue.get assignees[]',
  'issue.list issues[].assignees[]',
  'issue.create assignees[]',
  'issue.update assignees[]',
]);

test(`${verifies('PRV-20')} every author that a canonical result names is in the table, and no other`, () => {
  const inContract = VERBS.flatMap(verb => [...peopleIn(CAPABILITIES[verb].result)].map(place => `${verb} ${place}`)).filter(place => !NO_AUTHORS.has(place));
  const inTable = VERBS.flatMap(verb => {
    const rule = CONTENT_AUTHORS[verb];
    return rule.kind === 'pieces' ? [`${verb} ${[...rule.path.map(list => `${list}[]`), rule.author].join('.')}`] : [];
  });
  expect(inTable).toEqual(inContract);
  expect(inTable.length).toBeGreaterThan(12);
});

/** Members that hold text of people or files. The same names in a result that Weir has just written are Weir's. */
const TEXTS = new Set(['body', 'title', 'diff', 'patch', 'text', 'description']);

function* membersIn(schema: z.core.$ZodType): Generator<string> {
  if (schema instanceof z.ZodNullable) yield* membersIn(schema.unwrap());
  else if (schema instanceof z.ZodArray) yield* membersIn(schema.element);
  else if (schema instanceof z.ZodObject) {
    for (const [name, member] of Object.entries(schema.shape as Record<string, z.core.$ZodType>)) {
      yield name;
      yield* membersIn(member);
    }
  }
}

test(`${verifies('PRV-20')} a result that passes the lockdown unread has no text of others`, () => {
  const withText = VERBS.filter(verb => CONTENT_AUTHORS[verb].kind === 'facts' && [...membersIn(CAPABILITIES[verb].result)].some(name => TEXTS.has(name)));
  expect(withText).toEqual(['review.submit', 'review.comment.create', 'thread.reply', 'milestone.create']);
});
