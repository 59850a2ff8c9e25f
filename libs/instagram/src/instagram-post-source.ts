import type { PostType } from '@autoposter/contracts';
import {
  objectIn,
  parseSourceUrl,
  PipelineError,
  oneLine,
  type PostSource,
  type SourceComment,
  type SourceMedia,
  type SourcePost,
  cutText,
} from '@autoposter/domain';
import { readMedia, toIsoTime, type GraphMedia } from './graph-media';
import type { InstagramPublisher } from './instagram-publisher';

const FIELDS = 'id,caption,media_type,media_product_type,media_url,permalink,timestamp,like_count,children{id,media_type,media_url}';
const OWN_FIELDS = `${FIELDS},shortcode,username`;
/** Business discovery has a limit of calls of its own, whose size Meta does not document. */
const MAX_DISCOVERY_PAGES = 20;
const PAGE = 50;

/**
 * Reads posts through the official API: own posts by their shortcode, posts of other professional accounts by business discovery
 * (Facebook Login, and only where the address names the account). Instagram has no call that takes an address of a post, so
 * everything else is refused with `not_offered` and the reason.
 */
export class InstagramPostSource implements PostSource {
  constructor(private readonly publisher: InstagramPublisher) {}

  async resolve(url: string): Promise<{ post: SourcePost; topComments: SourceComment[] }> {
    const address = parseSourceUrl(url);
    if (address?.platform !== 'instagram') throw PipelineError.of('instagram_address_invalid');
    const code = address.sourceId;
    if (code === null) throw PipelineError.of('instagram_address_not_post');
    const found = (await this.findOwn(code)) ?? (await this.findByAccount(code, address.username));
    return { post: toPost(found.media, code, address.canonicalUrl, found.username), topComments: [] };
  }

  private async findOwn(code: string): Promise<Found | null> {
    for await (const page of this.publisher.ownMedia(OWN_FIELDS)) {
      const media = page.find((entry) => codeOf(entry) === code);
      if (media) return { media, username: media.username ?? null };
    }
    return null;
  }

  private async findByAccount(code: string, username: string | null): Promise<Found> {
    if (this.publisher.flavour === 'instagram') throw PipelineError.of('instagram_own_posts_only');
    if (username === null) throw PipelineError.of('instagram_account_needed');
    let after: string | null = null;
    for (let page = 0; page < MAX_DISCOVERY_PAGES; page += 1) {
      const { media, next } = await this.discover(username, after);
      const match = media.find((entry) => codeOf(entry) === code);
      if (match) return { media: match, username };
      if (next === null || next === after || media.length === 0) throw PipelineError.of('instagram_post_unknown', { fields: { username } });
      after = next;
    }
    throw PipelineError.of('instagram_post_too_old', { fields: { username, count: MAX_DISCOVERY_PAGES * PAGE } });
  }

  private async discover(username: string, after: string | null): Promise<ReturnType<typeof readMedia>> {
    // unchanged, except for characters that would end the expression
    const cursor = after === null ? '' : `.after(${after.replace(/[(){},\s]/g, '')})`;
    const fields = `business_discovery.username(${username}){username,media.limit(${PAGE})${cursor}{${FIELDS}}}`;
    try {
      const answer = await this.publisher.read(`/${this.publisher.accountId}`, fields);
      return readMedia(objectIn(answer['business_discovery'])['media'] ?? { data: [] }, true);
    } catch (error) {
      if (error instanceof PipelineError && error.failure.code === 'account_not_professional') {
        throw PipelineError.of('username_not_professional', { fields: { username } });
      }
      throw error;
    }
  }
}

interface Found {
  media: GraphMedia;
  username: string | null;
}

const codeOf = (media: GraphMedia): string | null =>
  media.shortcode ?? (media.permalink ? (parseSourceUrl(media.permalink)?.sourceId ?? null) : null);

const POST_TYPE: Readonly<Record<string, PostType>> = { VIDEO: 'video', IMAGE: 'image', CAROUSEL_ALBUM: 'gallery' };

function toPost(media: GraphMedia, code: string, canonicalUrl: string, username: string | null): SourcePost {
  const files = filesOf(media);
  if (files.length === 0) throw PipelineError.of('instagram_media_withheld');
  const firstLine = (media.caption ?? '').split('\n').find((line) => line.trim() !== '');
  return {
    platform: 'instagram',
    sourceId: code,
    permalink: media.permalink ?? canonicalUrl,
    title: cutText(oneLine(firstLine ?? `Instagram post ${code}`), 300),
    author: username,
    subreddit: null,
    postType: POST_TYPE[media.media_type ?? ''] ?? 'other',
    media: files,
    unfetchable: null,
    nsfw: false,
    spoiler: false,
    stickied: false,
    removed: false,
    score: 0,
    upvoteRatio: null,
    likes: media.like_count ?? null,
    createdAt: toIsoTime(media.timestamp),
  };
}

/** Files in order. A carousel with one withheld child, or without any, counts as withheld: half a post is not the post. */
function filesOf(media: GraphMedia): SourceMedia[] {
  const children = media.children?.data ?? [];
  const parts = media.media_type === 'CAROUSEL_ALBUM' ? children : [media];
  const files = parts.flatMap((part) => (part.media_url ? [toFile(part.media_url, part.media_type === 'VIDEO')] : []));
  return files.length === parts.length ? files : [];
}

const toFile = (url: string, isVideo: boolean): SourceMedia => ({
  kind: isVideo ? 'video' : 'image',
  url,
  audioUrl: null,
  manifestUrl: null,
  width: null,
  height: null,
  durationSeconds: null,
});
