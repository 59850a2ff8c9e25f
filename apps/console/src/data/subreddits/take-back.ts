import { api, type Subreddit } from '@autoposter/contracts';
import { keys } from '../http/keys';
import type { Undo } from '../undo/undo';

const refresh = [keys.subreddits, keys.subredditScheduler] as const;

/** The calls that take a change of a subreddit back. */
export const takeBack = {
  toggle: ({ _id: id }: Subreddit): Undo => ({ steps: [{ route: api.subreddits.toggle, params: { id } }], refresh }),
  stage: ({ _id: id, config: { autoProcessStage } }: Subreddit): Undo => ({
    steps: [{ route: api.subreddits.changeStage, params: { id }, body: { autoProcessStage } }],
    refresh,
  }),
};
