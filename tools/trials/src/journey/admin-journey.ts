import { api } from '@autoposter/contracts';
import { pollUntil, type SimulatedPost, type SimulatorControl } from '@autoposter/testkit';
import { RefusedRequest, type SignedInAdmin } from '../product/signed-in-admin';
import { progress } from '../trial';

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

const POLL_MS = 500;

/** Publishes three posts through the API, each with another combination of automatic and manual steps. */
export class AdminJourney {
  constructor(
    private readonly admin: SignedInAdmin,
    private readonly control: SimulatorControl,
    /** Part of all names, so that repeated runs on the same data do not collide. */
    private readonly tag: string,
    private readonly stepTimeoutMs = 240_000,
  ) {}

  /** Returns the number of published posts; throws at the first unexpected result. */
  async run(): Promise<number> {
    await this.prepareQueue();
    await this.publishAutomatically(await this.addVideo('pasted'));
    await this.publishManually();
    await this.publishFromSubreddit();
    return 3;
  }

  async prepareQueue(): Promise<void> {
    const { setRandomization, start } = api.instagramQueue;
    await this.admin.request('PUT', setRandomization.path, { enabled: false, maxDelayMinutes: 0 });
    await this.admin.request('POST', start.path);
  }

  /** A pasted link with "auto-process": only its scheduled time is moved to now, in case other items occupy the next slots. */
  async publishAutomatically(post: SimulatedPost): Promise<void> {
    const { data } = await this.admin.request<{ data: { id: string } }>('POST', api.pipeline.processComplete.path, { url: post.permalink });
    const queued = await this.waitFor(data.id, 'the queued post', ({ status }) =>
      ['queued', 'posting', 'instagram_posted'].includes(status),
    );
    if (queued.status === 'queued') await this.moveToNow(data.id);
    await this.verifyPublished(data.id, post, 'pasted link, processed automatically');
  }

  /** A pasted link that waits before each stage and is continued manually. */
  private async publishManually(): Promise<void> {
    const post = await this.addVideo('by-hand');
    const { data } = await this.admin.request<{ data: { id: string } }>('POST', api.reddit.process.path, { url: post.permalink });
    const { id } = data;
    await this.waitUntilListed(api.dmca.ready.path, id);
    await this.admin.request('POST', api.dmca.process.path.replace(':id', id));
    await this.waitUntilListed(api.ai.ready.path, id);
    await this.admin.request('POST', api.ai.process.path.replace(':id', id), {});
    await this.waitUntilListed(api.ai.completed.path, id);
    await this.postNow(id);
    await this.verifyPublished(id, post, 'pasted link, processed manually, posted immediately');
  }

  /** A subreddit that is run immediately; its post is published from the processed content. */
  private async publishFromSubreddit(): Promise<void> {
    const post = await this.addVideo('found');
    const name = /\/r\/([^/]+)\//u.exec(post.permalink)?.[1];
    const created = await this.admin.request<{ data: { _id: string } }>('POST', api.subreddits.create.path, {
      name,
      interval: 1440,
      postsToFetch: 1,
      autoProcessStage: 'processedContent',
    });
    // the scheduler may have started the run, because a new subreddit is due immediately
    await this.admin.request('POST', api.subreddits.runNow.path.replace(':id', created.data._id)).catch(ignoreConflict);
    const id = await pollUntil(
      async () => {
        const { data } = await this.admin.request<{ data: { id: string; title: string }[] }>('GET', api.ai.completed.path);
        return data.find((item) => item.title === post.title)?.id;
      },
      this.stepTimeoutMs,
      `"${post.title}" in the processed content`,
      POLL_MS,
    );
    await this.postNow(id);
    await this.verifyPublished(id, post, 'found in a subreddit, posted immediately');
  }

  private addVideo(part: string): Promise<SimulatedPost> {
    return this.control.addPost(`j${this.tag}${part.replace('-', '')}`, {
      title: `Journey ${this.tag}: ${part}`,
      author: `author_${part}`,
      content: { type: 'video', scene: 'rosette', width: 360, height: 640, seconds: 3 },
      score: 500,
      comments: 2,
    });
  }

  private async details(id: string): Promise<Details> {
    return (await this.admin.request<{ data: Details }>('GET', api.content.details.path.replace(':id', id))).data;
  }

  private waitFor(id: string, what: string, met: (item: Details) => boolean): Promise<Details> {
    return pollUntil(
      async () => {
        const item = await this.details(id);
        if (met(item)) return item;
        const error = item.processingErrors.at(-1);
        throw new Error(`"${item.title}" is ${item.downloadStatus}, ${item.status}${error ? ` (${error.stage}: ${error.message})` : ''}`);
      },
      this.stepTimeoutMs,
      what,
      POLL_MS,
    );
  }

  private async waitUntilListed(path: string, id: string): Promise<void> {
    const isListed = async (): Promise<boolean> =>
      (await this.admin.request<{ data: { id: string }[] }>('GET', path)).data.some((item) => item.id === id);
    await pollUntil(isListed, this.stepTimeoutMs, `the post in ${path}`, POLL_MS);
  }

  private async postNow(id: string): Promise<void> {
    await this.admin.request('POST', api.instagramQueue.enqueue.path.replace(':id', id), { postImmediately: true });
  }

  private async moveToNow(id: string): Promise<void> {
    const { data } = await this.admin.request<{ data: { posts: QueueRow[] } }>('GET', api.instagramQueue.list.path);
    const row = data.posts.find((one) => one.itemId === id && ['pending', 'scheduled'].includes(one.status));
    if (row === undefined) return;
    const now = { scheduledFor: new Date(Date.now() + 1_000).toISOString() };
    // it may have been posted in the meantime
    await this.admin.request('PUT', api.instagramQueue.setSchedule.path.replace(':id', row._id), now).catch(ignoreConflict);
  }

  /** The product shows the post as published, and Instagram has it exactly once with the generated caption. */
  private async verifyPublished(id: string, post: SimulatedPost, how: string): Promise<void> {
    const item = await this.waitFor(id, 'the published post', ({ instagramPost }) => instagramPost !== null);
    const mediaId = item.instagramPost?.instagramMediaId;
    const { published } = await this.control.ledger();
    const matching = published.filter((media) => media.caption?.includes(item.aiContent?.caption ?? '\0'));
    if (matching.length !== 1 || matching[0]?.mediaId !== mediaId) {
      throw new Error(
        `"${post.title}" is published ${matching.length} times (${matching.map((media) => media.mediaId).join(', ')}), recorded as ${mediaId}`,
      );
    }
    if (item.downloadStatus !== 'completed' || item.status !== 'instagram_posted')
      throw new Error(`the product shows ${item.downloadStatus}, ${item.status}`);
    progress(`   posted: ${how}`);
  }
}

function ignoreConflict(error: unknown): void {
  if (!(error instanceof RefusedRequest) || error.status !== 409) throw error;
}
