import { ConflictException, Injectable, UnprocessableEntityException } from '@nestjs/common';
import { FETCH_STAGE, type AutoProcessStage, type Platform, type ProcessedUrl } from '@autoposter/contracts';
import {
  cutText,
  isAcceptedUrl,
  leadsToPost,
  parseSourceUrl,
  renderReviewReason,
  URL_MESSAGES,
  type SourceAddress,
} from '@autoposter/domain';
import { Database, newContentItem, type ContentItem, type UnitOfWork } from '@autoposter/persistence';
import { advance, assertAdvanced, publishedBefore, requestItemStage, resubmit } from '@autoposter/workflow';
import { downloadStatusOf } from './item.presenter';

const NAMES: Record<Platform, string> = { reddit: 'Reddit', instagram: 'Instagram' };

/** Submits pasted links. One post is one item, so a known post is not fetched again. */
@Injectable()
export class LinkSubmissionService {
  constructor(private readonly database: Database) {}

  async submit(url: string, platform: Platform | null, stopsAt: AutoProcessStage, actor: string): Promise<ProcessedUrl> {
    const address = readAddress(url, platform);
    // a share link reveals its post only when it is resolved; until then its path identifies the item
    const sourceId = address.sourceId ?? `link:${address.lookupPath ?? address.canonicalUrl}`;
    return this.database.unitOfWork(async (uow) => {
      const created = newContentItem({
        platform: address.platform,
        sourceId,
        originalUrl: address.canonicalUrl,
        title: titleOf(address),
        subreddit: address.subreddit,
        author: address.username,
        autoProcessStage: stopsAt,
      });
      const { outcome } = await advance(uow, created, { by: 'person', wants: FETCH_STAGE }, { actor, isNew: true });
      if (outcome === 'entered') return present(created, false);
      const known = await uow.items.findBySource(address.platform, sourceId);
      const locked = known && (await uow.items.findForUpdate(known.id));
      if (!locked) throw new ConflictException('This post is being changed right now; please try again.');
      const learnedAccount = await learnAccount(uow, locked, address);
      const { revived } = await resubmit(uow, locked, stopsAt, actor);
      if (revived) assertAdvanced(revived);
      const isRetryable = learnedAccount && locked.state === 'failed' && locked.failedStage === FETCH_STAGE;
      if (isRetryable) return this.begin(uow, locked, actor);
      const published = await publishedBefore(uow, locked.id);
      return { ...present(locked, revived === null), ...(published === null ? {} : { notice: renderReviewReason(published) }) };
    });
  }

  private async begin(uow: UnitOfWork, item: ContentItem, actor: string): Promise<ProcessedUrl> {
    await requestItemStage(uow, item, FETCH_STAGE, { actor });
    return present(item, false);
  }
}

/** Instagram posts are readable only through their account: until the first successful read, a link with another account replaces it. */
async function learnAccount(uow: UnitOfWork, item: ContentItem, { username, canonicalUrl }: SourceAddress): Promise<boolean> {
  const isNewAccount = username !== null && item.sourcePost === null && parseSourceUrl(item.originalUrl)?.username !== username;
  if (!isNewAccount) return false;
  const changes = { originalUrl: canonicalUrl, author: username };
  await uow.items.patch(item.id, changes);
  Object.assign(item, changes);
  return true;
}

const present = (item: ContentItem, known: boolean): ProcessedUrl => ({
  id: item.id,
  _id: item.id,
  status: downloadStatusOf(item.state),
  originalUrl: item.originalUrl,
  known,
});

const titleOf = (address: SourceAddress): string =>
  address.sourceId === null ? address.canonicalUrl : `${NAMES[address.platform]} post ${address.sourceId}`;

function readAddress(url: string, platform: Platform | null): SourceAddress {
  const address = isAcceptedUrl(url) ? parseSourceUrl(url) : null;
  if (address === null) throw new UnprocessableEntityException(URL_MESSAGES.invalid([cutText(url, 200)]));
  if (platform !== null && address.platform !== platform) {
    throw new UnprocessableEntityException(`This link is from ${NAMES[address.platform]}, not from ${NAMES[platform]}.`);
  }
  if (!leadsToPost(address)) {
    // only www.instagram.com resolves these, and it is no API
    if (address.platform === 'instagram' && address.kind === 'share')
      throw new UnprocessableEntityException(
        "Share links of Instagram name no post. Open the link in a browser and paste the post's own address.",
      );
    throw new UnprocessableEntityException(`This link leads to a page of ${NAMES[address.platform]}, not to a post.`);
  }
  return address;
}
