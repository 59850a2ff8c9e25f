import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { failureOf } from '@autoposter/domain';
import { FakeDatabase, minutesFromNow, NOW } from '@autoposter/testkit';
import type { StoredSettings } from '../settings/stored-settings';
import { gatewaySettings, storedSettings } from '../testing/fake-settings';
import { OverviewService } from './overview.service';

const provider = (values: object = {}) => ({
  provider: 'gemini',
  model: 'flash',
  dailyLimit: 10,
  failure: null,
  retryAt: null,
  incident: null,
  ...values,
});

async function overview(stubs: Record<string, unknown> = {}, stored = storedSettings(), settings = {}) {
  const fake = new FakeDatabase({
    'items.countByState': {},
    'items.countFailedByStage': new Map(),
    'aiProviders.list': [],
    'quota.used': 0,
    'failures.unseen': [],
    'accounts.connected': [],
    'outbox.refused': [],
    ...stubs,
  });
  return new OverviewService(fake.database, stored, gatewaySettings(settings)).overview();
}

describe('OverviewService', () => {
  it('counts items by stage', async () => {
    const counts = {
      accepted: 1,
      downloading: 2,
      downloaded: 3,
      protecting: 4,
      protected: 5,
      captioning: 6,
      ready: 7,
      queued: 8,
      posting: 1,
      posted: 9,
    };
    const { stages } = await overview({ 'items.countByState': counts, 'items.countFailedByStage': new Map([['ai', 2]]) });
    expect(stages).toEqual({
      download: { waiting: 1, running: 2, failed: 0 },
      dmca: { waiting: 3, running: 4, failed: 0 },
      ai: { waiting: 5, running: 6, failed: 2 },
      ready: 7,
      queued: 9,
      posted: 9,
    });
  });

  it('shows the pause and the number of unseen failures', async () => {
    const failure = { id: '1', at: NOW };
    const stored = storedSettings({ publishing: { paused: true } });
    expect(await overview({ 'failures.unseen': [failure] }, stored)).toMatchObject({
      unseenFailures: 1,
      publishingPaused: true,
      pausedAccounts: [ENVIRONMENT_ACCOUNT_ID],
    });
    expect(await overview()).toMatchObject({ publishingPaused: false, pausedAccounts: [] });
  });

  it.each([
    ['the second account', ['second'], {}, ['second']],
    ['all accounts', [ENVIRONMENT_ACCOUNT_ID, 'second'], {}, [ENVIRONMENT_ACCOUNT_ID, 'second']],
    ['an account that is not configured', [ENVIRONMENT_ACCOUNT_ID], { instagramAccountId: null }, []],
  ])('names the paused accounts: %s', async (_which, paused, settings, pausedAccounts) => {
    const stored = { ...storedSettings(), publishing: async (_uow: unknown, id: string) => ({ paused: paused.includes(id) }) };
    const found = await overview({ 'accounts.connected': [{ id: 'second' }] }, stored as unknown as StoredSettings, settings);
    expect(found).toMatchObject({ publishingPaused: pausedAccounts.length > 0, pausedAccounts });
  });

  it('shows the usage of the most used provider and the limit of the workers', async () => {
    const used = (name: string) => (name === 'ai.groq' ? 4 : 2);
    expect((await overview({ 'quota.used': used })).aiQuota).toEqual({ used: 4, limit: 50 });
    const { aiQuota, aiProviders } = await overview({ 'quota.used': used, 'aiProviders.list': [provider()] });
    expect([aiQuota?.limit, aiProviders]).toMatchObject([
      10,
      [{ provider: 'gemini', name: 'Gemini', model: 'flash', used: 2, limit: 10, problem: null }],
    ]);
  });

  const quota = failureOf('model_no_requests_left', { side: 'gemini', fields: { provider: 'Gemini' } });
  const key = { ...quota, kind: 'not_authorised' as const };
  const later = minutesFromNow(5);
  it.each([
    ['no problem without a failure', {}, 0, null],
    [
      'a quota failure until its time',
      { failure: quota, retryAt: later, incident: 'i' },
      0,
      { id: 'i', code: quota.kind, until: later.toISOString() },
    ],
    ['no quota failure after its time', { failure: quota, retryAt: NOW }, 0, null],
    ['a refused key also after its time', { failure: key, retryAt: NOW }, 0, { id: 'gemini', code: 'not_authorised', until: null }],
    ['the daily limit', {}, 10, { id: 'gemini 2026-05-05', code: 'quota_exceeded' }],
  ])('shows %s', async (_what, row, used, problem) => {
    const { aiProviders } = await overview({ 'aiProviders.list': [provider(row)], 'quota.used': used });
    if (problem === null) expect(aiProviders?.[0]?.problem).toBeNull();
    else expect(aiProviders?.[0]?.problem).toMatchObject(problem);
  });
});
