import {
  type ContainerRequest,
  type ContainerStatus,
  type CopyrightCheck,
  type Failure,
  failureOf,
  PipelineError,
  type PublishedMedia,
  type Publisher,
  type PublishOutcome,
} from '@autoposter/domain';

/** What the fake platform does with the next `publish` call. */
export type PublishScript =
  | 'publish'
  /** The post is published and the answer is lost. */
  | 'publish-and-lose-the-answer'
  /** The post is not published and the answer is lost. */
  | 'lose-the-call'
  /** The platform answers that it is not ready: nothing is published. */
  | 'refuse'
  /** The platform reports suspected spam, and does not publish. */
  | 'spam'
  /** The platform reports suspected spam, and publishes all the same. */
  | 'spam-but-live'
  /** The platform answers with this error, which does not tell whether it published: it does not. */
  | Failure;

const MEDIA_TYPE: Partial<Record<ContainerRequest['kind'], string>> = {
  image: 'IMAGE',
  story_image: 'IMAGE',
  carousel: 'CAROUSEL_ALBUM',
};
const NOT_READY = failureOf('instagram_not_ready');
const SPAM = failureOf('instagram_spam_suspected');
const LOST = failureOf('instagram_object_unknown');
export const TOKEN_EXPIRED = failureOf('instagram_token_expired');

/** An account in memory that publishes by a script, as forgetful as the real platform. */
export class FakePublisher implements Publisher {
  readonly accountId = '17841400000000001';
  readonly canUpload = true;
  readonly containers = new Map<string, { request: ContainerRequest; status: ContainerStatus }>();
  readonly media: PublishedMedia[] = [];
  readonly script: PublishScript[] = [];
  publishCalls = 0;
  quotaTotal = 50;
  /** Set: every call but `publish` is refused with it. */
  refusal: Failure | null = null;
  /** Status of a container that was just made. */
  newContainerIs: ContainerStatus = 'FINISHED';
  /** The platform's words beside the status. */
  statusText: string | null = null;
  copyright: CopyrightCheck | null = { state: 'completed', matchesFound: false, matches: [] };
  /** Containers that the platform does not have any more. */
  readonly lost = new Set<string>();
  private readonly refusedContainers = new Map<number, Failure>();

  async account() {
    await this.answer();
    return Promise.resolve({
      accountId: this.accountId,
      username: 'fake',
      flavour: 'facebook' as const,
      tokenExpiresAt: null,
      quotaUsed: this.media.length,
      quotaTotal: this.quotaTotal,
    });
  }

  async quota() {
    await this.answer();
    return Promise.resolve({ used: this.media.length, total: this.quotaTotal, windowSeconds: 86_400 });
  }

  /** The next call that would make the container of this number is refused instead, once. */
  refuseContainer(number: number, failure: Failure): void {
    this.refusedContainers.set(number, failure);
  }

  async createContainer(request: ContainerRequest) {
    await this.answer();
    const refused = this.refusedContainers.get(this.containers.size + 1);
    this.refusedContainers.delete(this.containers.size + 1);
    if (refused) throw new PipelineError(refused);
    // as strict as the platform: a carousel is made of files that are ready
    const unready = (request.children ?? []).filter((child) => this.containers.get(child)?.status !== 'FINISHED');
    if (unready.length > 0) throw new PipelineError(NOT_READY);
    const containerId = `container-${this.containers.size + 1}`;
    this.containers.set(containerId, { request, status: this.newContainerIs });
    return Promise.resolve({ containerId });
  }

  async containerStatus(containerId: string) {
    await this.answer();
    if (this.lost.has(containerId)) throw new PipelineError(LOST);
    const status = this.containers.get(containerId)?.status ?? 'EXPIRED';
    return Promise.resolve({ status, message: this.statusText, copyright: this.copyright });
  }

  publish(containerId: string, beforeCall?: () => void): Promise<PublishOutcome> {
    beforeCall?.();
    this.publishCalls += 1;
    const script = this.script.shift() ?? 'publish';
    if (typeof script === 'object') return Promise.resolve({ outcome: 'unknown', code: '1', message: script.message, failure: script });
    const lost: PublishOutcome = { outcome: 'unknown', code: null, message: 'the connection was cut' };
    if (script === 'lose-the-call') return Promise.resolve(lost);
    if (script === 'refuse')
      return Promise.resolve({ outcome: 'refused', retryAfterSeconds: 20, code: '9007/2207027', message: 'not ready', failure: NOT_READY });
    const spam: PublishOutcome = { outcome: 'unknown', code: '4/2207051', message: 'spam', failure: SPAM };
    if (script === 'spam') return Promise.resolve(spam);
    const mediaId = this.bringOut(containerId);
    if (script === 'spam-but-live') return Promise.resolve(spam);
    return Promise.resolve(script === 'publish' ? { outcome: 'published', mediaId } : lost);
  }

  async permalink(mediaId: string) {
    await this.answer();
    return this.media.find((media) => media.id === mediaId)?.permalink ?? null;
  }

  async recentMedia(since: Date) {
    await this.answer();
    return Promise.resolve(this.media.filter((media) => media.productType !== 'STORY' && Date.parse(media.timestamp) >= since.getTime()));
  }

  async stories() {
    await this.answer();
    return this.media.filter(({ productType }) => productType === 'STORY');
  }

  private answer(): Promise<void> {
    return this.refusal === null ? Promise.resolve() : Promise.reject(new PipelineError(this.refusal));
  }

  private bringOut(containerId: string): string {
    const container = this.containers.get(containerId);
    if (container === undefined || container.status === 'PUBLISHED') throw new Error('a real platform would refuse this container');
    container.status = 'PUBLISHED';
    const id = `media-${this.media.length + 1}`;
    const timestamp = new Date().toISOString();
    this.media.unshift({
      id,
      caption: container.request.caption,
      mediaType: MEDIA_TYPE[container.request.kind] ?? 'VIDEO',
      productType: container.request.kind === 'reel' ? 'REELS' : container.request.kind.startsWith('story') ? 'STORY' : 'FEED',
      permalink: `https://example.test/${id}`,
      timestamp,
    });
    return id;
  }
}
