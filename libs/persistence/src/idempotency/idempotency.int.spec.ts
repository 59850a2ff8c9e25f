import { freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import { audited } from '../audit-log/audit-log.repository';

const DAY = 86_400;

describe('idempotent calls and the audit log', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  beforeAll(async () => {
    server = await startPostgres('embedded');
    fresh = await freshDatabase(server);
  });
  afterAll(async () => {
    await fresh?.drop();
    await server?.stop();
  });

  it('gives a key to one call and its answer to all repetitions', async () => {
    const { idempotentCalls } = fresh.database.read;
    const call = { actor: 'a', key: 'k', fingerprint: 'one' };
    const began = await Promise.all(Array.from({ length: 6 }, () => idempotentCalls.begin(call, DAY)));
    expect(began.filter((other) => other === null)).toHaveLength(1);
    expect(began.find((other) => other !== null)).toMatchObject({ state: 'running', answer: null });
    await idempotentCalls.finish(call, { success: true });
    expect(await idempotentCalls.begin({ ...call, fingerprint: 'two' }, DAY)).toMatchObject({
      state: 'done',
      fingerprint: 'one',
      answer: { success: true },
    });
    expect(await idempotentCalls.begin({ ...call, actor: 'b' }, DAY)).toBeNull();
  });

  it('frees the key of a failed, abandoned or old call', async () => {
    const { idempotentCalls } = fresh.database.read;
    const age = (key: string, seconds: number) =>
      fresh.database.sql.query(`UPDATE idempotent_calls SET created_at = now() - make_interval(secs => $2) WHERE key = $1`, [key, seconds]);
    const failed = { actor: 'a', key: 'failed', fingerprint: 'f' };
    await idempotentCalls.begin(failed, DAY);
    await idempotentCalls.release(failed);
    expect(await idempotentCalls.begin(failed, DAY)).toBeNull();
    await age('failed', 59);
    expect(await idempotentCalls.begin(failed, DAY)).not.toBeNull();
    await age('failed', 61);
    expect(await idempotentCalls.begin(failed, DAY)).toBeNull();
    await idempotentCalls.finish(failed, 1);
    await age('failed', DAY - 5);
    expect(await idempotentCalls.begin(failed, DAY)).toMatchObject({ answer: 1 });
    await age('failed', DAY + 5);
    expect(await idempotentCalls.begin(failed, DAY)).toBeNull();
    await age('failed', DAY + 5);
    expect(await fresh.database.read.retention.prune('idempotent_calls', 30, 100)).toBe(1);
  });

  it('writes one entry per change, in its transaction, with the state before', async () => {
    const { database } = fresh;
    const context = { requestId: 'request-1', before: { interval: 60 }, entryId: null as string | null };
    const lost = audited(context, () =>
      database.unitOfWork(async (uow) => {
        await uow.audit.record({ actor: 'a', action: 'lost' });
        throw new Error('rolled back');
      }),
    );
    await expect(lost).rejects.toThrow('rolled back');
    await audited(context, () => database.unitOfWork(async (uow) => void (await uow.audit.record({ actor: 'a', action: 'kept' }))));
    await database.read.audit.complete(context.entryId ?? '', {
      requestId: 'request-1',
      before: { interval: 60 },
      after: { interval: 30 },
    });
    await database.read.audit.record({ actor: 'b', action: 'apart' });
    expect(await database.read.audit.page({ actor: 'a', action: null, subject: null }, { page: 1, limit: 10 })).toMatchObject({
      total: 1,
      entries: [{ action: 'kept', requestId: 'request-1', before: { interval: 60 }, after: { interval: 30 } }],
    });
    expect((await database.read.audit.page({ actor: null, action: null, subject: null }, { page: 2, limit: 1 })).entries).toMatchObject([
      { action: 'kept' },
    ]);
  });
});
