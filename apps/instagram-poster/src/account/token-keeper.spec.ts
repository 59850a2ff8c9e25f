import { PipelineError } from '@autoposter/domain';
import { openToken, sealToken, type SealingKeys, type StoredToken } from '@autoposter/instagram';
import { TokenKeeper } from './token-keeper';

const KEYS = [Buffer.alloc(32, 1)];
const CONFIGURED = 'IGconfiguredtoken';
const NOW = Date.parse('2026-11-21T12:00:00Z');
const days = (count: number) => new Date(NOW + count * 86_400_000).toISOString();

function harness(stored: StoredToken | null = null, answer: () => string = () => 'IGrenewedtoken', keys: SealingKeys = KEYS) {
  const state = { now: NOW, stored, inUse: CONFIGURED, asked: 0, lines: [] as string[], canStore: true };
  const note = (...parts: unknown[]) => void state.lines.push(JSON.stringify(parts));
  const keeper = new TokenKeeper({
    configured: CONFIGURED,
    keys,
    store: {
      read: () => Promise.resolve(state.stored),
      write: (next) => {
        if (!state.canStore) return Promise.reject(new Error('the database is away'));
        state.stored = next;
        return Promise.resolve();
      },
    },
    renew: () => {
      state.asked += 1;
      return new Promise((resolve) => resolve({ accessToken: answer(), expiresAt: days(60) }));
    },
    use: (token) => {
      state.inUse = token;
    },
    logger: { info: note, warn: note, error: note, debug: note } as never,
    now: () => new Date(state.now),
  });
  return { keeper, state };
}

const storedToken = (renewedDays: number, expiresDays: number | null): StoredToken =>
  sealToken(
    { accessToken: 'IGstoredtoken', expiresAt: expiresDays === null ? null : days(expiresDays) },
    CONFIGURED,
    KEYS,
    new Date(days(renewedDays)),
  );

describe('keeping the access token', () => {
  it('renews the configured one at the first chance, stores it encrypted and uses it', async () => {
    const { keeper, state } = harness();
    await keeper.keep();
    expect([state.inUse, keeper.expiresAt]).toEqual(['IGrenewedtoken', days(60)]);
    expect(JSON.stringify(state.stored)).not.toContain('renewedtoken');
  });

  it('uses the stored token after a restart, without a request while it is recent', async () => {
    const { keeper, state } = harness(storedToken(-10, 50));
    await keeper.keep();
    expect([state.inUse, state.asked, keeper.expiresAt]).toEqual(['IGstoredtoken', 0, days(50)]);
  });

  it('seals a token of the previous key anew with the current one, without asking for another', async () => {
    const rotated = [Buffer.alloc(32, 9), ...KEYS];
    const { keeper, state } = harness(storedToken(-10, 50), undefined, rotated);
    await keeper.keep();
    expect([state.inUse, state.asked]).toEqual(['IGstoredtoken', 0]);
    const stored = state.stored as StoredToken;
    expect(openToken(stored, CONFIGURED, [Buffer.alloc(32, 9)])).toBe('IGstoredtoken');
    expect(stored).toMatchObject({ renewedAt: days(-10), expiresAt: days(50) });
  });

  it('renews again when less than thirty days are left, and not twice a day', async () => {
    const { keeper, state } = harness(storedToken(-31, 29));
    await keeper.keep();
    expect([state.inUse, state.asked]).toEqual(['IGrenewedtoken', 1]);
    state.now += 3_600_000;
    await keeper.keep();
    expect(state.asked).toBe(1);
  });

  it('renews once a day while the expiry is unknown', async () => {
    const { keeper, state } = harness(storedToken(-0.5, null));
    await keeper.keep();
    expect(state.asked).toBe(0);
    state.now += 86_400_000;
    await keeper.keep();
    expect(state.asked).toBe(1);
  });

  it('leaves a stored one of another configured token alone', async () => {
    const other = sealToken({ accessToken: 'IGstoredtoken', expiresAt: days(50) }, 'IGformertoken', KEYS, new Date(days(-5)));
    const { keeper, state } = harness(other);
    await keeper.keep();
    expect([state.inUse, state.asked]).toEqual(['IGrenewedtoken', 1]);
  });

  it('keeps the old token if it is too young or the new one cannot be stored, and logs no token', async () => {
    const refused = harness(null, () => {
      throw new PipelineError({
        code: 'instagram_token_invalid',
        kind: 'not_authorised',
        message: 'Less than 24 hours old.',
        side: 'operator',
        nextAction: 'Wait.',
      });
    });
    await refused.keeper.keep();
    refused.state.now += 600_000;
    await refused.keeper.keep();
    expect([refused.state.inUse, refused.state.asked]).toEqual([CONFIGURED, 1]);
    refused.state.now += 86_400_000;
    await refused.keeper.keep();
    expect(refused.state.asked).toBe(2);
    const lost = harness();
    lost.state.canStore = false;
    await lost.keeper.keep();
    expect([lost.state.inUse, lost.keeper.expiresAt]).toEqual([CONFIGURED, null]);
    const lines = [...refused.state.lines, ...lost.state.lines].join('\n');
    expect(lines).toContain('tried again tomorrow');
    expect(lines).not.toMatch(/IG\w+token/);
  });
});
