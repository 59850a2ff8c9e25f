import {
  COLLECT_STAGE,
  type AutoProcessStage,
  type CreateSubredditBody,
  type SubredditSchedulerStatus,
  type Subreddit as SubredditView,
  type ToggleSubredditBody,
} from '@autoposter/contracts';
import { failureOf, nextRun, REDDIT_ACCESS, SCHEDULER_ACTOR, SETTING, type SourceAccess } from '@autoposter/domain';
import { requestStage } from '@autoposter/job-engine';
import { Database, type CollectRun, type Subreddit, type UnitOfWork } from '@autoposter/persistence';
import { releasePermitted } from '@autoposter/workflow';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { StoredSettings } from '../settings/stored-settings';

export interface SubredditWithRun {
  subreddit: Subreddit;
  run: CollectRun | undefined;
}

@Injectable()
export class SubredditsService {
  constructor(
    private readonly database: Database,
    private readonly settings: StoredSettings,
  ) {}

  async list(): Promise<SubredditWithRun[]> {
    const subreddits = await this.database.read.subreddits.list();
    const runs = await this.database.read.runs.latestOf(subreddits.map((subreddit) => subreddit.id));
    return subreddits.map((subreddit) => ({ subreddit, run: runs.get(subreddit.id) }));
  }

  /** The first run is due immediately and starts with the next scheduler round. */
  async create({ interval, ...body }: CreateSubredditBody, actor: string): Promise<SubredditWithRun> {
    return this.database.unitOfWork(async (uow) => {
      const subreddit = await uow.subreddits.create({ ...body, intervalMinutes: interval, isActive: true, nextRunAt: await uow.now() });
      if (!subreddit) throw new ConflictException(`r/${body.name} is already on the list.`);
      await this.changed(uow, subreddit, 'created', actor);
      return { subreddit, run: undefined };
    });
  }

  /** A subreddit that is in the wanted state already keeps its next run. */
  toggle(id: string, { isActive: wanted }: ToggleSubredditBody, actor: string): Promise<SubredditWithRun> {
    return this.change(id, actor, 'toggled', async (subreddit, uow) => {
      const isActive = wanted ?? !subreddit.isActive;
      if (isActive === subreddit.isActive) return { isActive };
      return { isActive, nextRunAt: isActive ? await uow.now() : null };
    });
  }

  changeStage(id: string, autoProcessStage: AutoProcessStage, actor: string): Promise<SubredditWithRun> {
    return this.change(id, actor, 'stage_changed', async () => ({ autoProcessStage }));
  }

  changeNeedsPermission(id: string, needsPermission: boolean, actor: string): Promise<SubredditWithRun> {
    return this.change(id, actor, 'permission_changed', async () => ({ needsPermission }), needsPermission ? undefined : releasePermitted);
  }

  /** Keeps the collected items; cancels an open run. */
  async remove(id: string, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const subreddit = found(await uow.subreddits.findForUpdate(id));
      const run = (await uow.runs.latestOf([id])).get(id);
      if (run) await uow.jobs.cancelOpen(run.id);
      await uow.subreddits.delete(id);
      if (subreddit.needsPermission) await releasePermitted(uow, actor);
      await this.changed(uow, subreddit, 'deleted', actor);
    });
  }

  async runNow(id: string, actor: string): Promise<{ runId: string }> {
    return this.database.unitOfWork(async (uow) => {
      const subreddit = found(await uow.subreddits.findForUpdate(id));
      const run = await requestCollect(uow, subreddit, actor);
      if (!run) throw new ConflictException(`A run of r/${subreddit.name} is already in progress.`);
      return { runId: run.id };
    });
  }

  async status(): Promise<SubredditSchedulerStatus> {
    const [isRunning, count, access] = await Promise.all([
      this.settings.isRunning(SETTING.subredditScheduler),
      this.database.read.runs.countOpen(),
      this.database.read.workerReports.find<SourceAccess>(REDDIT_ACCESS),
    ]);
    const { denied = null, since = '' } = access?.report ?? {};
    const idle = denied === null ? null : { reason: denied.message, nextAction: denied.nextAction, since };
    return { isRunning, activeJobs: { count }, idle };
  }

  async setRunning(running: boolean, actor: string): Promise<SubredditSchedulerStatus> {
    await this.database.unitOfWork(async (uow) => {
      await uow.settings.set(SETTING.subredditScheduler, { running }, actor);
      uow.history.append({
        type: 'scheduler.changed',
        subjectId: uuidv7(),
        state: running ? 'running' : 'stopped',
        reason: 'subreddits',
        actor,
      });
      await uow.audit.record({ actor, action: running ? 'subreddits.start' : 'subreddits.stop' });
    });
    return this.status();
  }

  private async change(
    id: string,
    actor: string,
    what: string,
    values: (subreddit: Subreddit, uow: UnitOfWork) => Promise<Partial<Subreddit>>,
    then?: (uow: UnitOfWork, actor: string) => Promise<void>,
  ): Promise<SubredditWithRun> {
    return this.database.unitOfWork(async (uow) => {
      const before = found(await uow.subreddits.findForUpdate(id));
      const subreddit = (await uow.subreddits.patch(id, await values(before, uow))) ?? before;
      await then?.(uow, actor);
      await this.changed(uow, subreddit, what, actor);
      return { subreddit, run: (await uow.runs.latestOf([id])).get(id) };
    });
  }

  private async changed(uow: UnitOfWork, subreddit: Subreddit, what: string, actor: string): Promise<void> {
    uow.history.append({ type: 'subreddit.changed', subjectId: subreddit.id, state: what, reason: `r/${subreddit.name}`, actor });
    await uow.audit.record({ actor, action: `subreddit.${what}`, subject: subreddit.id, detail: { name: subreddit.name } });
  }
}

const OPEN: readonly string[] = ['requested', 'running'];

function found(subreddit: Subreddit | null): Subreddit {
  if (!subreddit) throw new NotFoundException('There is no such subreddit.');
  return subreddit;
}

export function presentSubreddit(subreddit: Subreddit, run: CollectRun | undefined): SubredditView {
  return {
    _id: subreddit.id,
    name: subreddit.name,
    config: {
      isActive: subreddit.isActive,
      interval: subreddit.intervalMinutes,
      postsToFetch: subreddit.postsToFetch,
      timePeriod: subreddit.timePeriod,
      autoProcessStage: subreddit.autoProcessStage,
      mediaLayout: subreddit.mediaLayout,
      needsPermission: subreddit.needsPermission,
      filters: subreddit.filters,
    },
    scheduling: { isRunning: run !== undefined && OPEN.includes(run.state), nextRun: subreddit.nextRunAt?.toISOString() ?? null },
    stats: {
      totalRuns: subreddit.totalRuns,
      successfulRuns: subreddit.successfulRuns,
      totalPostsScraped: subreddit.totalPostsScraped,
    },
    lastRun: run === undefined ? null : presentRun(run),
  };
}

const presentRun = (run: CollectRun): NonNullable<SubredditView['lastRun']> => ({
  state: run.state,
  listed: run.listed,
  accepted: run.accepted,
  skipped: run.skipped,
  error: run.failure && `${run.failure.message} ${run.failure.nextAction}`.trim(),
  startedAt: run.createdAt.toISOString(),
  finishedAt: run.finishedAt?.toISOString() ?? null,
});

const ABANDONED = failureOf('run_lost', { retried: false });

/** Creates and requests a collect run; `null` while another run of the subreddit is open. The interval restarts now. */
export async function requestCollect(uow: UnitOfWork, subreddit: Subreddit, actor: string): Promise<CollectRun | null> {
  await uow.runs.failAbandoned(subreddit.id, ABANDONED);
  const run = await uow.runs.create({ subredditId: subreddit.id, requestedBy: actor });
  if (!run) return null;
  const now = await uow.now();
  if (subreddit.isActive) await uow.subreddits.patch(subreddit.id, { nextRunAt: nextRun(now, subreddit.intervalMinutes, now) });
  await requestStage(uow, {
    stage: COLLECT_STAGE,
    subjectId: run.id,
    itemId: null,
    key: subreddit.id,
    actor,
    forPerson: actor !== SCHEDULER_ACTOR,
  });
  return run;
}
