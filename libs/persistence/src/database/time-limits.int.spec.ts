import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { silentLogger, type Logger } from '@autoposter/observability';
import { pollUntil, useFreshDatabases, type FreshDatabase } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import { Database } from './database';

/** A proxy between client and server that can drop all packets, as a broken network does, and refuse session settings, as a pooler does. */
class UnreliableProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  private silent = false;

  constructor(
    private readonly to: URL,
    private readonly refuses: RegExp | null = null,
  ) {}

  async open(): Promise<string> {
    const server = createServer((near) => this.join(near));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(this.to);
    url.port = String((server.address() as AddressInfo).port);
    return url.toString();
  }

  dropPackets(): void {
    this.silent = true;
  }

  recover(): void {
    this.silent = false;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server?.close();
  }

  private join(near: Socket): void {
    const far = connect(Number(this.to.port), '127.0.0.1');
    let first = true;
    let lost = false;
    const forward = (from: Socket, to: Socket, bytes: Buffer): void => {
      // a connection that lost a packet stays silent
      lost ||= this.silent;
      if (lost) return;
      if (from === near && first && this.refuses?.test(bytes.toString('latin1'))) return this.refuse(near, far);
      if (from === near) first = false;
      to.write(bytes);
    };
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      this.sockets.add(from);
      from.on('data', (bytes: Buffer) => forward(from, to, bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        if (!lost) to.destroy();
      });
    }
  }

  private refuse(near: Socket, far: Socket): void {
    far.destroy();
    const fields = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0');
    const length = Buffer.alloc(4);
    length.writeInt32BE(fields.length + 4);
    near.end(Buffer.concat([Buffer.from('E'), length, fields]));
  }
}

describe('Database time limits', () => {
  // long enough for the calls over a working connection, however busy the machine is
  const limits = { connectMs: 5_000, answerMs: 2_000, heartbeatMs: 500 };
  let fresh: FreshDatabase;
  let network: UnreliableProxy;
  let database: Database;
  let warnings: string[];

  useFreshDatabases('embedded', async (made) => {
    fresh = made;
    network = new UnreliableProxy(new URL(made.url));
    warnings = [];
    const note = (_fields: object, message: string): void => void warnings.push(message);
    database = await Database.connect({
      url: await network.open(),
      poolSize: 2,
      limits,
      logger: { ...silentLogger, warn: note } as Logger,
    });
    return async () => {
      network.close();
      await database.close();
    };
  });

  const happen = () => database.unitOfWork(async (uow) => void uow.history.append({ type: 'item.edited', subjectId: uuidv7() }));

  it('rejects every call over a silent connection and recovers with new connections', async () => {
    await Promise.all([happen(), happen()]);
    network.dropPackets();
    const calls = await Promise.allSettled([happen(), happen(), database.read.now(), database.read.settings.get('x')]);
    const reasons = calls.map((call) => (call.status === 'rejected' ? call.reason : null) as unknown);
    expect(reasons.map((reason) => database.isOutage(reason))).toEqual([true, true, true, true]);
    expect(await database.health()).toMatchObject({ ok: false });
    network.recover();
    await pollUntil(async () => (await database.health()).ok);
    await Promise.all([happen(), happen(), happen()]);
    expect((await database.read.history.range()).last).toBe(5);
  });

  it('closes the pool although its connections are silent', async () => {
    await Promise.all([happen(), happen()]);
    network.dropPackets();
    await database.close();
  });

  it('listens again after its connection went silent without an error', async () => {
    let woken = 0;
    const stop = await database.onEvents(() => (woken += 1));
    network.dropPackets();
    await pollUntil(() => warnings.includes('the listening connection was lost'));
    network.recover();
    // calls once after it has reconnected
    await pollUntil(() => woken > 0);
    await stop();
  });

  it('listens once a connection succeeds, where the first one failed', async () => {
    network.dropPackets();
    let woken = 0;
    const stop = await database.onEvents(() => (woken += 1));
    expect(warnings).toContain('no notifications from PostgreSQL until a connection succeeds');
    network.recover();
    await pollUntil(() => woken > 0);
    await stop();
  });

  it('lets the server end long statements, lock waits and idle transactions', async () => {
    const shown = async (on: Database) => {
      const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
      return on.sql.transaction(async (tx) => {
        const rows = await tx.query<{ setting: string }>('SELECT setting FROM unnest($1::text[]) AS n JOIN pg_settings ON name = n', [
          names,
        ]);
        return rows.map(({ setting }) => Number(setting)).sort((a, b) => a - b);
      });
    };
    expect(await shown(database)).toEqual([10_000, 20_000, 60_000]);
    const pooler = new UnreliableProxy(new URL(fresh.url), /statement_timeout/u);
    const pooled = await Database.connect({ url: await pooler.open(), poolSize: 1, limits });
    expect(await shown(pooled)).toEqual([10_000, 20_000, 60_000]);
    const [outside] = await pooled.sql.query<{ lock_timeout: string }>('SHOW lock_timeout');
    expect(outside?.lock_timeout).toBe('0');
    await pooled.unitOfWork(async (uow) => void uow.history.append({ type: 'item.edited', subjectId: uuidv7() }));
    expect((await pooled.read.history.range()).last).toBe(1);
    await pooled.close();
    pooler.close();
  });

  it('raises the limit for one transaction and not for the next one', async () => {
    const slow = await Database.connect({ url: fresh.url, poolSize: 1, limits: { statementMs: 500, answerMs: 5_000 } });
    const sleep = 'SELECT pg_sleep(1.5)';
    await expect(slow.sql.query(sleep)).rejects.toMatchObject({ code: '57014' });
    await slow.unitOfWork(async (uow) => {
      await uow.allowMinutes(1);
      await (uow as unknown as { manager: { query(text: string): Promise<unknown> } }).manager.query(sleep);
    });
    await expect(slow.sql.query(sleep)).rejects.toMatchObject({ code: '57014' });
    await slow.close();
  });
});
