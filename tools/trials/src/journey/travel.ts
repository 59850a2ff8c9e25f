import { api } from '@autoposter/contracts';
import type { SignedInAdmin } from '../product/signed-in-admin';
import type { SimulatedPost, SimulatedWorld } from '../product/simulated-world';
import { until } from '../product/until';
import { tell } from '../trial';

interface Details {
  title: string;
  status: string;
  downloadStatus: string;
  processingErrors: { stage: string; message: string }[];
  aiContent: { caption: string; hashtags: string[] } | null;
  instagramPost: { instagramMediaId: string } | null;
  originalUrl: string;
}
interface QueueRow {
  _id: string;
  itemId: string;
  status: string;
  scheduling: { scheduledFor: string | null };
}

const STEP_WITHIN_MS = 240_000;
const LOOK_MS = 500;

/** One administrator's way through one running product: three posts, each in its own manner, until the platform has them. */
export class Travel {
  constructor(
    private readonly admin: SignedInAdmin,
    private readonly world: SimulatedWorld,
    /** Makes names unique where the product keeps its data. */
    private readonly tag: string,
  ) {}

  /** Resolves with the number of posts that are out; rejects at the first thing that is not as it should be. */
  async run(): Promise<number> {
    await this.prepareQueue();
    await this.byItself();
    await this.byHand();
    await this.fromSubreddit();
    return 3;
  }

  private async prepareQueue(): Promise<void> {
    const { setRandomization, start } = api.instagramQueue;
    await this.admin.ask('PUT', setRandomization.path, { enabled: false, maxDelayMinutes: 0 });
    await this.admin.ask('POST', start.path);
  }

  /** A pasted link with "auto-process": nobody touches it again, but that its slot is moved to now where others have the next ones. */
  private async byItself(): Promise<void> {
    const post = await this.clip('pasted');
    const { data } = await this.admin.ask<{ data: { id: string } }>('POST', api.pipeline.processComplete.path, { url: post.permalink });
    const queued = await this.reach(data.id, 'queued or further', ({ status }) =>
      ['queued', 'posting', 'instagram_posted'].includes(status),
    );
    if (queued.status === 'queued') await this.moveToNow(data.id);
    await this.arrives(data.id, post, 'pasted link, by itself');
  }

  /** A pasted link that stops before each step; a person presses the buttons. */
  private async byHand(): Promise<void> {
    const post = await this.clip('by-hand');
    const { data } = await this.admin.ask<{ data: { id: string } }>('POST', api.reddit.process.path, { url: post.permalink });
    const { id } = data;
    await this.waitsIn(api.dmca.ready.path, id);
    await this.admin.ask('POST', api.dmca.process.path.replace(':id', id));
    await this.waitsIn(api.ai.ready.path, id);
    await this.admin.ask('POST', api.ai.process.path.replace(':id', id), {});
    await this.waitsIn(api.ai.completed.path, id);
    await this.postNow(id);
    await this.arrives(id, post, 'DMCA and caption by hand, posted now');
  }

  /** A subreddit that is run now: what it finds goes up to the processed content and is posted from there. */
  private async fromSubreddit(): Promise<void> {
    const post = await this.clip('found');
    const name = /\/r\/([^/]+)\//u.exec(post.permalink)?.[1];
    const created = await this.admin.ask<{ data: { _id: string } }>('POST', api.subreddits.create.path, {
      name,
      interval: 1440,
      postsToFetch: 1,
      autoProcessStage: 'processedContent',
    });
    await this.admin.ask('POST', api.subreddits.runNow.path.replace(':id', created.data._id)).catch((error: unknown) => {
      // the scheduler was faster: a new subreddit is due at once
      if (!String(error).includes('409')) throw error;
    });
    const id = await until(
      `"${post.title}" among the processed content`,
      async () => {
        const { data } = await this.admin.ask<{ data: { id: string; title: string }[] }>('GET', api.ai.completed.path);
        return data.find((item) => item.title === post.title)?.id;
      },
      STEP_WITHIN_MS,
      LOOK_MS,
    );
    await this.postNow(id);
    await this.arrives(id, post, 'found in a subreddit, posted now');
  }

  private clip(part: string): Promise<SimulatedPost> {
    return this.world.publishOn(`j${this.tag}${part.replace('-', '')}`, {
      title: `Journey ${this.tag}: ${part}`,
      author: `traveller_${part}`,
      content: { type: 'video', scene: 'rosette', width: 360, height: 640, seconds: 3 },
      score: 500,
      comments: 2,
    });
  }

  private async details(id: string): Promise<Details> {
    return (await this.admin.ask<{ data: Details }>('GET', api.content.details.path.replace(':id', id))).data;
  }

  private reach(id: string, what: string, met: (item: Details) => boolean): Promise<Details> {
    return until(
      what,
      async () => {
        const item = await this.details(id);
        if (met(item)) return item;
        const error = item.processingErrors.at(-1);
        throw new Error(`"${item.title}" is ${item.downloadStatus}, ${item.status}${error ? ` (${error.stage}: ${error.message})` : ''}`);
      },
      STEP_WITHIN_MS,
      LOOK_MS,
    );
  }

  private async waitsIn(path: string, id: string): Promise<void> {
    const isThere = async (): Promise<boolean> =>
      (await this.admin.ask<{ data: { id: string }[] }>('GET', path)).data.some((item) => item.id === id);
    await until(`the post in ${path}`, isThere, STEP_WITHIN_MS, LOOK_MS);
  }

  private async postNow(id: string): Promise<void> {
    await this.admin.ask('POST', api.instagramQueue.enqueue.path.replace(':id', id), { postImmediately: true });
  }

  private async moveToNow(id: string): Promise<void> {
    const { data } = await this.admin.ask<{ data: { posts: QueueRow[] } }>('GET', api.instagramQueue.list.path);
    const row = data.posts.find((one) => one.itemId === id && ['pending', 'scheduled'].includes(one.status));
    if (row === undefined) return;
    const now = { scheduledFor: new Date(Date.now() + 1_000).toISOString() };
    await this.admin.ask('PUT', api.instagramQueue.setSchedule.path.replace(':id', row._id), now).catch((error: unknown) => {
      // it went out in between
      if (!String(error).includes('409')) throw error;
    });
  }

  /** Posted here, and once there, with the caption that was written for it. */
  private async arrives(id: string, post: SimulatedPost, how: string): Promise<void> {
    const item = await this.reach(id, 'the post on Instagram', ({ instagramPost }) => instagramPost !== null);
    const mediaId = item.instagramPost?.instagramMediaId;
    const { published } = await this.world.ledger();
    const out = published.filter((media) => media.caption?.includes(item.aiContent?.caption ?? '\0'));
    if (out.length !== 1 || out[0]?.mediaId !== mediaId) {
      throw new Error(`"${post.title}" is out ${out.length} times (${out.map((media) => media.mediaId).join(', ')}), known as ${mediaId}`);
    }
    if (item.downloadStatus !== 'completed' || item.status !== 'instagram_posted')
      throw new Error(`it is shown as ${item.downloadStatus}, ${item.status}`);
    tell(`   posted: ${how}`);
  }
}
