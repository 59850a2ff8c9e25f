import { ConflictException, Injectable, UnprocessableEntityException } from '@nestjs/common';
import { FETCH_STAGE, type AutoProcessStage, type Platform, type ProcessedUrl } from '@autoposter/contracts';
import { cutText, isAcceptedUrl, leadsToPost, parseSourceUrl, URL_MESSAGES, type SourceAddress } from '@autoposter/domain';
import { Database, type ContentItem, type UnitOfWork } from '@autoposter/persistence';
import { advance, resubmit } from '@autoposter/workflow';
import { accepted } from './item-actions';
import { downloadStatusOf } from './item.presenter';

const NAMES: Record<Platform, string> = { reddit: 'Reddit', instagram: 'Instagram' };

/** Takes in pasted addresses. One post is one item: what is known already is not fetched a second time. */
@Injectable()
export class LinkSubmissionService {
  constructor(private readonly database: Database) {}

  async submit(url: string, platform: Platform | null, stopsAt: AutoProcessStage, actor: string): Promise<ProcessedUrl> {
    const address = readAddress(url, platform);
    // A share link tells the post only once it was followed; until then its own path is its identity.
    const sourceId = address.sourceId ?? `link:${address.lookupPath ?? address.canonicalUrl}`;
    return this.database.unitOfWork(async (uow) => {
      const created = await uow.items.create({
        platform: address.platform,
        sourceId,
        originalUrl: address.canonicalUrl,
        title: titleOf(address),
        subreddit: address.subreddit,
        author: address.username,
        autoProcessStage: stopsAt,
      });
      if (created) return this.begin(uow, created, actor);
      const known = await uow.items.findBySource(address.platform, sourceId);
      const locked = known && (await uow.items.findForUpdate(known.id));
      if (!locked) throw new ConflictException('This post is being changed at the moment; please try again.');
      const saysMore = await learnAccount(uow, locked, address);
      const { revived } = await resubmit(uow, locked, stopsAt, actor);
      if (revived) accepted(revived);
      const isWorthATry = saysMore && locked.state === 'failed' && locked.failedStage === FETCH_STAGE;
      return isWorthATry ? this.begin(uow, locked, actor) : answer(locked, revived === null);
    });
  }

  private async begin(uow: UnitOfWork, item: ContentItem, actor: string): Promise<ProcessedUrl> {
    accepted(await advance(uow, item, { by: 'person', wants: FETCH_STAGE }, { actor }));
    return answer(item, false);
  }
}

/** A post of somebody else can be read by its account only: as long as it was never seen, an address with another one may say it right. */
async function learnAccount(uow: UnitOfWork, item: ContentItem, { username, canonicalUrl }: SourceAddress): Promise<boolean> {
  const isNews = username !== null && item.sourcePost === null && parseSourceUrl(item.originalUrl)?.username !== username;
  if (!isNews) return false;
  const learnt = { originalUrl: canonicalUrl, author: username };
  await uow.items.patch(item.id, learnt);
  Object.assign(item, learnt);
  return true;
}

const answer = (item: ContentItem, known: boolean): ProcessedUrl => ({
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
    throw new UnprocessableEntityException(`This is the address of a post on ${NAMES[address.platform]}, not on ${NAMES[platform]}.`);
  }
  if (!leadsToPost(address)) {
    throw new UnprocessableEntityException(`This address leads to a page of ${NAMES[address.platform]}, not to one post.`);
  }
  return address;
}
