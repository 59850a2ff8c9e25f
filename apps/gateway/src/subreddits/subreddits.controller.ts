import { Body, Controller, Param } from '@nestjs/common';
import {
  api,
  AUTO_PROCESS_STAGE_OPTIONS,
  changeAutoProcessStageBodySchema,
  createSubredditBodySchema,
  type ChangeAutoProcessStageBody,
  type CreateSubredditBody,
} from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { idParam, valid } from '../http/zod.pipe';
import { presentSubreddit } from './subreddits.presenter';
import { SubredditsService, type SubredditWithRun } from './subreddits.service';

const shown = ({ subreddit, run }: SubredditWithRun) => ({ success: true, data: presentSubreddit(subreddit, run) });

@Controller()
export class SubredditsController {
  constructor(private readonly subreddits: SubredditsService) {}

  @Serves(api.subreddits.list)
  async list() {
    const all = await this.subreddits.list();
    return { success: true, data: all.map(({ subreddit, run }) => presentSubreddit(subreddit, run)) };
  }

  @Serves(api.subreddits.create)
  async create(@Body(valid(createSubredditBodySchema)) body: CreateSubredditBody, @Actor() actor: string) {
    return shown(await this.subreddits.create(body, actor));
  }

  @Serves(api.subreddits.autoProcessStages)
  autoProcessStages() {
    return { success: true, data: AUTO_PROCESS_STAGE_OPTIONS };
  }

  @Serves(api.subreddits.schedulerStatus)
  async status() {
    return { success: true, data: await this.subreddits.status() };
  }

  @Serves(api.subreddits.schedulerStart)
  async start(@Actor() actor: string) {
    return { success: true, data: await this.subreddits.setRunning(true, actor) };
  }

  @Serves(api.subreddits.schedulerStop)
  async stop(@Actor() actor: string) {
    return { success: true, data: await this.subreddits.setRunning(false, actor) };
  }

  @Serves(api.subreddits.toggle)
  async toggle(@Param('id', idParam) id: string, @Actor() actor: string) {
    return shown(await this.subreddits.toggle(id, actor));
  }

  @Serves(api.subreddits.remove)
  async remove(@Param('id', idParam) id: string, @Actor() actor: string) {
    await this.subreddits.remove(id, actor);
    return { success: true, message: 'Subreddit deleted.' };
  }

  @Serves(api.subreddits.runNow)
  async runNow(@Param('id', idParam) id: string, @Actor() actor: string) {
    return { success: true, data: await this.subreddits.runNow(id, actor) };
  }

  @Serves(api.subreddits.changeStage)
  async changeStage(
    @Param('id', idParam) id: string,
    @Body(valid(changeAutoProcessStageBodySchema)) body: ChangeAutoProcessStageBody,
    @Actor() actor: string,
  ) {
    return shown(await this.subreddits.changeStage(id, body.autoProcessStage, actor));
  }
}
