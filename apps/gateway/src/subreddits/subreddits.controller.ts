import { Controller } from '@nestjs/common';
import {
  api,
  AUTO_PROCESS_STAGE_OPTIONS,
  type ChangeAutoProcessStageBody,
  type NeedsPermissionBody,
  type CreateSubredditBody,
  type ToggleSubredditBody,
} from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { ValidBody, ValidId } from '../http/validation.pipe';
import { presentSubreddit, SubredditsService, type SubredditWithRun } from './subreddits.service';

const shown = ({ subreddit, run }: SubredditWithRun) => ({ success: true, data: presentSubreddit(subreddit, run) });

@Controller()
export class SubredditsController {
  constructor(private readonly subreddits: SubredditsService) {}

  @ApiRoute(api.subreddits.list)
  async list() {
    const all = await this.subreddits.list();
    return { success: true, data: all.map(({ subreddit, run }) => presentSubreddit(subreddit, run)) };
  }

  @ApiRoute(api.subreddits.create)
  async create(@ValidBody() body: CreateSubredditBody, @Actor() actor: string) {
    return shown(await this.subreddits.create(body, actor));
  }

  @ApiRoute(api.subreddits.autoProcessStages)
  autoProcessStages() {
    return { success: true, data: AUTO_PROCESS_STAGE_OPTIONS };
  }

  @ApiRoute(api.subreddits.schedulerStatus)
  async status() {
    return { success: true, data: await this.subreddits.status() };
  }

  @ApiRoute(api.subreddits.schedulerStart)
  async start(@Actor() actor: string) {
    return { success: true, data: await this.subreddits.setRunning(true, actor) };
  }

  @ApiRoute(api.subreddits.schedulerStop)
  async stop(@Actor() actor: string) {
    return { success: true, data: await this.subreddits.setRunning(false, actor) };
  }

  @ApiRoute(api.subreddits.toggle)
  async toggle(@ValidId() id: string, @ValidBody() body: ToggleSubredditBody, @Actor() actor: string) {
    return shown(await this.subreddits.toggle(id, body, actor));
  }

  @ApiRoute(api.subreddits.remove)
  async remove(@ValidId() id: string, @Actor() actor: string) {
    await this.subreddits.remove(id, actor);
    return { success: true, message: 'Subreddit deleted.' };
  }

  @ApiRoute(api.subreddits.runNow)
  async runNow(@ValidId() id: string, @Actor() actor: string) {
    return { success: true, data: await this.subreddits.runNow(id, actor) };
  }

  @ApiRoute(api.subreddits.changeNeedsPermission)
  async changeNeedsPermission(@ValidId() id: string, @ValidBody() body: NeedsPermissionBody, @Actor() actor: string) {
    return shown(await this.subreddits.changeNeedsPermission(id, body.needsPermission, actor));
  }

  @ApiRoute(api.subreddits.changeStage)
  async changeStage(@ValidId() id: string, @ValidBody() body: ChangeAutoProcessStageBody, @Actor() actor: string) {
    return shown(await this.subreddits.changeStage(id, body.autoProcessStage, actor));
  }
}
