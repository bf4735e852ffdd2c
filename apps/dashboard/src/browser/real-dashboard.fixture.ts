/**
 * The dashboard as `weir serve` hands it out, over a seeded deployment: the real API, sessions, policy and pages. A door stands in front of it,
 * whose connections a test may cut.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import type { Role } from '@weir/contract';
import { sqlSessionStore } from '@weir/identity';
import type { SeededWorld } from '../../../cli/src/dashboard/seeded-world.fixture.ts';
import { startDashboard } from '../../../cli/src/server/start-dashboard.ts';

const PAGES = path.resolve(import.meta.dirname, '../../dist');

export interface RealDashboard {
  readonly address: string;
  readonly world: SeededWorld;
  /** Signs the local admin in, once. */
  readonly signInLink: string;
  /** @returns the secret of a new session. */
  signIn(role: Role): Promise<string>;
  endSession(secret: string): Promise<void>;
  /** Cuts what is connected, and refuses what comes until it is opened again. */
  shut(): void;
  open(): void;
  /** Where each request for the feed goes on, in order; empty for one that begins. */
  readonly resumed: readonly string[];
  close(): Promise<void>;
}

export async function startRealDashboard(world: SeededWorld): Promise<RealDashboard> {
  const dashboard = await startDashboard(world, 0, PAGES);
  const sessions = sqlSessionStore(world.storage.sql, Date.now);
  const door = await openDoor(Number(new URL(dashboard.origin).port));
  const address = `http://127.0.0.1:${door.port}`;
  let people = 0;
  return {
    ...{ address, world, shut: door.shut, open: door.open, resumed: door.resumed },
    signInLink: dashboard.entrance.replace(dashboard.origin, address),
    signIn: role => sessions.open({ subject: `test#${(people += 1)}`, name: 'j.lee', role }),
    endSession: sessions.end,
    close: async () => {
      await door.close();
      await dashboard.close(1_000);
      await world.close();
    },
  };
}

interface Door {
  readonly port: number;
  readonly resumed: readonly string[];
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

async function openDoor(target: number): Promise<Door> {
  const inside = new Set<Socket>();
  const resumed: string[] = [];
  let shut = false;
  const server: Server = createServer(socket => {
    if (shut) return void socket.destroy();
    const onward = connect(target, '127.0.0.1');
    socket.on('data', (bytes: Buffer) => {
      const head = bytes.toString('latin1');
      if (head.startsWith('GET /api/v1/feed')) resumed.push(/^last-event-id: (\S+)/imu.exec(head)?.[1] ?? '');
    });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      inside.add(one);
      one.on('error', () => one.destroy());
      one.on('close', () => {
        inside.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const port = await new Promise<number>(resolve =>
    server.listen(0, '127.0.0.1', () => {
      const place = server.address();
      resolve(typeof place === 'object' && place !== null ? place.port : 0);
    }),
  );
  const cut = (): void => inside.forEach(socket => socket.destroy());
  return {
    port,
    resumed,
    shut: () => {
      shut = true;
      cut();
    },
    open: () => {
      shut = false;
    },
    close: () => {
      cut();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
