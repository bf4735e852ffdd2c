import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { dashboardPlace, type PlaceSettings } from './dashboard-place.ts';

const DEFAULT: PlaceSettings = { host: '127.0.0.1', publicUrl: null, insecure: false, hasProvider: false };

describe('where the dashboard listens', () => {
  test.each<[string, Partial<PlaceSettings>, string | null]>([
    ['this machine', {}, null],
    ['this machine by its name', { host: 'localhost' }, null],
    ['this machine behind a proxy', { publicUrl: 'https://weir.example/' }, 'https://weir.example'],
    ['another address with a provider', { host: '0.0.0.0', hasProvider: true, publicUrl: 'https://weir.example:8443' }, 'https://weir.example:8443'],
    ['another address with the flag', { host: '0.0.0.0', insecure: true }, null],
    ['no https with the flag', { host: '::', insecure: true, publicUrl: 'http://weir.example' }, 'http://weir.example'],
  ])(`${verifies('REV-39a')} takes %s`, (_name, change, publicOrigin) => {
    const settings = { ...DEFAULT, ...change };
    expect(dashboardPlace(settings)).toEqual({ host: settings.host, publicOrigin });
  });

  test.each<[string, Partial<PlaceSettings>, RegExp]>([
    ['another address without a provider', { host: '0.0.0.0' }, /does not listen on 0\.0\.0\.0/],
    ['another address that browsers would not find', { host: '0.0.0.0', hasProvider: true }, /publicUrl is not set/],
    ['a public address without https', { publicUrl: 'http://weir.example' }, /no https/],
    ['a public address with a path', { publicUrl: 'https://weir.example/weir' }, /not scheme, host and port/],
    ['a public address with a password', { publicUrl: 'https://a:b@weir.example' }, /not scheme, host and port/],
    ['a public address of another scheme', { publicUrl: 'file:///weir' }, /not scheme, host and port/],
    ['a public address that is none', { publicUrl: 'weir.example' }, /not scheme, host and port/],
  ])(`${verifies('REV-39a')} refuses %s`, (_name, change, sentence) => {
    expect(() => dashboardPlace({ ...DEFAULT, ...change })).toThrow(sentence);
  });
});
