import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { readPersonRules, roleOf } from './person-rules.ts';

const rules = (admins: readonly string[], viewers: readonly string[] = [], groupsClaim = 'groups') => readPersonRules({ admins, viewers, groupsClaim });

describe('roles of people', () => {
  test.each([
    ['of a group', rules(['group:platform']), { groups: ['all', 'platform'] }, 'admin'],
    ['of a group that is one word', rules([], ['group:all']), { groups: 'all' }, 'viewer'],
    ['of a claim of another name', rules(['group:a b'], [], 'https://id.example/roles'), { 'https://id.example/roles': ['a b'] }, 'admin'],
    ['by a verified address, however it is written', rules(['email:Ada@Example.com']), { email: 'ada@example.com', email_verified: true }, 'admin'],
    ['by an address that is not verified', rules(['email:ada@example.com']), { email: 'ada@example.com', email_verified: false }, null],
    ['by an address of which nothing is said', rules(['email:ada@example.com']), { email: 'ada@example.com' }, null],
    ['by a subject', rules([], ['sub:1']), { sub: '1' }, 'viewer'],
    ['of anyone', rules(['group:platform'], ['*']), { sub: '9' }, 'viewer'],
    ['of both, the larger one', rules(['sub:1'], ['*']), { sub: '1' }, 'admin'],
    ['of nobody who is named', rules(['group:platform'], ['group:all']), { groups: ['platforms'], sub: 'platform' }, null],
    ['of a group that is no text', rules(['group:1']), { groups: [1] }, null],
  ])(`${verifies('REV-39a')} %s`, (_name, people, claims, role) => {
    expect(roleOf(claims, people)).toBe(role);
  });

  test.each([[['platform']], [['role:admin']], [['group:']], [['*']]])(`${verifies('REV-39a')} %j names no admins`, admins => {
    expect(() => rules(admins)).toThrow(/oidc\.admins/);
  });

  test(`${verifies('REV-39a')} a provider without anyone who has a role is a mistake`, () => {
    expect(() => rules([])).toThrow(/nobody has a role/);
  });
});
