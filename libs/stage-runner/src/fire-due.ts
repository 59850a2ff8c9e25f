import type { UnitOfWork } from '@autoposter/persistence';
import { announce } from './request-stage';

/** Requested and untaken for this many seconds although its message was sent: the message counts as lost. */
export const LOST_AFTER_SECONDS = 60;

/** Asks again for the runs whose waiting or retry time has come: a new turn, a new message. Answers how many. */
export async function fireDue(uow: UnitOfWork, limit = 200): Promise<number> {
  const jobs = await uow.jobs.fireDue(limit);
  await announce(uow, jobs);
  return jobs.length;
}

/** Sends the message of a requested job again (same turn) where nobody took it: after a topic was lost, or its offsets were moved. */
export async function sweepLost(uow: UnitOfWork, limit = 200, seconds = LOST_AFTER_SECONDS): Promise<number> {
  const jobs = await uow.jobs.sweepRequested(seconds, limit);
  await announce(uow, jobs);
  return jobs.length;
}
