import type { ContainerRequest, ContainerStatus, PublishedMedia, Publisher, PublishOutcome } from '@autoposter/domain';

/** What the fake platform does with the next `publish` call. */
export type PublishScript =
  | 'publish'
  /** It goes out and the answer is lost. */
  | 'publish-and-lose-the-answer'
  /** It does not go out and the answer is lost. */
  | 'lose-the-call'
  /** The platform says that it is not ready: nothing goes out. */
  | 'refuse';

/** An account in memory that publishes by a script, as forgetful as the real platform. */
export class FakePublisher implements Publisher {
  readonly accountId = '17841400000000001';
  readonly canUpload = true;
  readonly containers = new Map<string, { request: ContainerRequest; status: ContainerStatus }>();
  readonly media: PublishedMedia[] = [];
  readonly script: PublishScript[] = [];
  publishCalls = 0;
  quotaTotal = 50;
  /** Status of a container that was just made. */
  newContainerIs: ContainerStatus = 'FINISHED';
  /** The platform's words beside the status. */
  statusText: string | null = null;
  copyrightMatches: boolean | null = false;

  account() {
    return Promise.resolve({
      accountId: this.accountId,
      username: 'fake',
      flavour: 'facebook' as const,
      tokenExpiresAt: null,
      quotaUsed: this.media.length,
      quotaTotal: this.quotaTotal,
    });
  }

  quota() {
    return Promise.resolve({ used: this.media.length, total: this.quotaTotal, windowSeconds: 86_400 });
  }

  createContainer(request: ContainerRequest) {
    const containerId = `container-${this.containers.size + 1}`;
    this.containers.set(containerId, { request, status: this.newContainerIs });
    return Promise.resolve({ containerId });
  }

  containerStatus(containerId: string) {
    const status = this.containers.get(containerId)?.status ?? 'EXPIRED';
    return Promise.resolve({ status, message: this.statusText, copyrightMatches: this.copyrightMatches });
  }

  publish(containerId: string): Promise<PublishOutcome> {
    this.publishCalls += 1;
    const script = this.script.shift() ?? 'publish';
    const lost: PublishOutcome = { outcome: 'unknown', code: null, message: 'the connection was cut' };
    if (script === 'lose-the-call') return Promise.resolve(lost);
    if (script === 'refuse')
      return Promise.resolve({ outcome: 'refused', retryAfterSeconds: 20, code: '9007/2207027', message: 'not ready' });
    const mediaId = this.bringOut(containerId);
    return Promise.resolve(script === 'publish' ? { outcome: 'published', mediaId } : lost);
  }

  recentMedia(since: Date) {
    return Promise.resolve(this.media.filter((media) => Date.parse(media.timestamp) >= since.getTime()));
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
      mediaType: 'VIDEO',
      productType: 'REELS',
      permalink: `https://example.test/${id}`,
      timestamp,
    });
    return id;
  }
}
