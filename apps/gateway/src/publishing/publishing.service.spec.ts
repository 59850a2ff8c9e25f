import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { NOT_PAUSED } from '@autoposter/domain';
import { FakeDatabase, minutesFromNow, NOW } from '@autoposter/testkit';
import { gatewaySettings } from '../testing/fake-settings';
import { StoredSettings } from '../settings/stored-settings';
import { PublishingService } from './publishing.service';

const ACTOR = 'admin@example.com';
const pausedBy = (cause: string) => ({ paused: true, by: 'autoposter', since: NOW.toISOString(), cause });
const reported = (ok: boolean, minutes: number) => ({ 'workerReports.find': { report: { ok }, reportedAt: minutesFromNow(minutes) } });

const strikes = (active: number, unacknowledged: number) => ({ 'notices.countStrikes': { active, unacknowledged } });

function arrange(publishing: object | null, stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase({ 'settings.get': publishing, ...strikes(0, 0), ...stubs });
  const stored = new StoredSettings(fake.database, gatewaySettings());
  return { fake, service: new PublishingService(fake.database, stored, { responseTimeoutMs: 0 }) };
}

describe('PublishingService', () => {
  it('is not paused at first', async () => {
    expect(await arrange(null).service.state()).toEqual(NOT_PAUSED);
  });

  it('pauses with actor and time', async () => {
    const { fake, service } = arrange(null);
    const paused = { paused: true, by: ACTOR, since: NOW.toISOString(), cause: 'person', all: true };
    expect(await service.pause(ACTOR)).toEqual(paused);
    expect(fake.argsOf('settings.set')).toEqual([['publishing', paused, ACTOR]]);
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'publishing.paused' }], ['publishing.pause']]);
  });

  it('keeps the first actor, time and cause of a pause', async () => {
    const { fake, service } = arrange(pausedBy('person'));
    expect(await service.pause(ACTOR)).toEqual(pausedBy('person'));
    expect([fake.argsOf('settings.set'), fake.events]).toEqual([[], []]);
    expect(await arrange(pausedBy('token')).service.pause(ACTOR)).toEqual({ ...pausedBy('token'), all: true });
  });

  it('pauses the account of the environment alone, and all accounts afterwards', async () => {
    const { fake, service } = arrange(null);
    const alone = { paused: true, by: ACTOR, since: NOW.toISOString(), cause: 'person', all: false };
    expect(await service.pause(ACTOR, ENVIRONMENT_ACCOUNT_ID)).toEqual(alone);
    expect(fake.argsOf('settings.set')).toEqual([['publishing', alone, ACTOR]]);
    expect(await arrange(alone).service.pause(ACTOR)).toEqual({ ...alone, all: true });
    expect(await arrange(alone).service.resume(ACTOR, { accountId: ENVIRONMENT_ACCOUNT_ID })).toMatchObject({ paused: false });
  });

  it('resumes no single account while all are paused', async () => {
    const { fake, service } = arrange(pausedBy('person'));
    await expect(service.resume(ACTOR, { accountId: ENVIRONMENT_ACCOUNT_ID })).rejects.toMatchObject({ status: 409 });
    expect(fake.argsOf('settings.set')).toEqual([]);
  });

  it.each([
    ['by a person', pausedBy('person'), {}],
    ['of the account', pausedBy('account'), {}],
    ['of a refused token once the account is connected again', pausedBy('token'), reported(true, 1)],
  ])('resumes after a pause %s and makes waiting jobs due', async (_what, publishing, stubs) => {
    const { fake, service } = arrange(publishing, stubs);
    expect(await service.resume(ACTOR)).toMatchObject({ paused: false, by: ACTOR, since: NOW.toISOString() });
    expect(fake.argsOf('jobs.makeWaitingDue')).toEqual([['post']]);
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'publishing.resumed' }], ['publishing.resume']]);
  });

  it.each([
    ['follows a pause of a person', 'person', strikes(3, 1)],
    ['stays if it is not resumed itself', 'account', strikes(4, 4)],
  ])('the pause for strikes %s', async (_what, cause, stubs) => {
    const { fake, service } = arrange(pausedBy(cause), stubs);
    const next = { paused: true, by: 'autoposter', cause: 'strikes', reason: expect.stringContaining('takedown notices') as string };
    expect(await service.resume(ACTOR)).toMatchObject(next);
    expect(fake.argsOf('notices.acknowledgeStrikes')).toEqual([]);
  });

  it('acknowledges the strikes of a pause that they caused', async () => {
    const { fake, service } = arrange(pausedBy('strikes'), strikes(3, 0));
    expect(await service.resume(ACTOR)).toMatchObject({ paused: false });
    expect([fake.argsOf('notices.acknowledgeStrikes'), fake.auditActions]).toEqual([
      [[ENVIRONMENT_ACCOUNT_ID]],
      ['rights.strikes.acknowledge', 'publishing.resume'],
    ]);
  });

  it('resumes no pause that replaced the one that the caller was shown', async () => {
    const { fake, service } = arrange(pausedBy('strikes'), strikes(3, 3));
    await expect(service.resume(ACTOR, { since: minutesFromNow(-5).toISOString() })).rejects.toMatchObject({ status: 409 });
    expect([fake.argsOf('notices.acknowledgeStrikes'), fake.argsOf('settings.set')]).toEqual([[], []]);
    const shown = arrange(pausedBy('strikes'), strikes(3, 0)).service;
    expect(await shown.resume(ACTOR, { since: NOW.toISOString() })).toMatchObject({ paused: false });
  });

  it.each([
    ['fewer strikes than the limit', strikes(2, 2)],
    ['strikes that are all acknowledged', strikes(5, 0)],
  ])('resumes with %s', async (_what, stubs) => {
    expect(await arrange(pausedBy('person'), stubs).service.resume(ACTOR)).toMatchObject({ paused: false });
  });

  it('leaves waiting jobs unchanged if publishing was not paused', async () => {
    const { fake, service } = arrange(NOT_PAUSED);
    expect(await service.resume(ACTOR)).toEqual(NOT_PAUSED);
    expect([fake.argsOf('jobs.makeWaitingDue'), fake.argsOf('settings.set')]).toEqual([[], []]);
  });

  it.each([
    ['no report', {}],
    ['a successful check before the refusal', reported(true, 0)],
    ['a failed check since', reported(false, 1)],
  ])('refuses to resume after a refused token with %s', async (_what, stubs) => {
    const { fake, service } = arrange(pausedBy('token'), stubs);
    await expect(service.resume(ACTOR)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('INSTAGRAM_ACCESS_TOKEN') as string,
    });
    expect([fake.argsOf('settings.set'), fake.argsOf('jobs.makeWaitingDue')]).toEqual([[], []]);
    expect(fake.argsOf('accounts.requestCheck')).toEqual([[ENVIRONMENT_ACCOUNT_ID]]);
  });

  it('resumes at once if the check that it requested finds that the account works again', async () => {
    let asked = false;
    const { fake, service } = arrange(pausedBy('token'), {
      'accounts.requestCheck': () => void (asked = true),
      'workerReports.find': () => ({ report: { ok: asked }, reportedAt: minutesFromNow(asked ? 1 : -1) }),
    });
    expect(await service.resume(ACTOR)).toMatchObject({ paused: false });
    expect(fake.argsOf('accounts.requestCheck')).toHaveLength(1);
  });

  it('asks for no check of an account that works since its token was refused, or that is paused for another cause', async () => {
    for (const [publishing, stubs] of [
      [pausedBy('token'), reported(true, 1)],
      [pausedBy('account'), {}],
    ] as const) {
      const { fake, service } = arrange(publishing, stubs);
      await service.resume(ACTOR);
      expect(fake.argsOf('accounts.requestCheck')).toEqual([]);
    }
  });
});
