import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { NOT_PAUSED } from '@autoposter/domain';
import { FakeDatabase, minutesFromNow, NOW } from '@autoposter/testkit';
import { gatewaySettings } from '../testing/fake-settings';
import { StoredSettings } from '../settings/stored-settings';
import { PublishingService } from './publishing.service';

const ACTOR = 'admin@example.com';
const pausedBy = (cause: string) => ({ paused: true, by: 'autoposter', since: NOW.toISOString(), cause });
const reported = (ok: boolean, minutes: number) => ({ 'workerReports.find': { report: { ok }, reportedAt: minutesFromNow(minutes) } });

function arrange(publishing: object | null, stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase({ 'settings.get': publishing, ...stubs });
  return { fake, service: new PublishingService(fake.database, new StoredSettings(fake.database, gatewaySettings())) };
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
    expect(await arrange(alone).service.resume(ACTOR, ENVIRONMENT_ACCOUNT_ID)).toMatchObject({ paused: false });
  });

  it('resumes no single account while all are paused', async () => {
    const { fake, service } = arrange(pausedBy('person'));
    await expect(service.resume(ACTOR, ENVIRONMENT_ACCOUNT_ID)).rejects.toMatchObject({ status: 409 });
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
  });
});
