import { MEDIA_TYPE, type PublishedMedia, type Publisher } from '@autoposter/domain';
import type { PublishAttempt } from '@autoposter/persistence';
import { captionHash } from '@autoposter/workflow';

/** Reads which published media belong to which attempt. */
export interface LinkedMedia {
  /** Of these media ids, those that already belong to another attempt. */
  findLinked(accountId: string, mediaIds: readonly string[], ownId: string): Promise<Set<string>>;
}

/**
 * Clocks differ: media that is older than the attempt by the platform's clock may be its post nevertheless. A day is safe, because preflight
 * refuses an attempt whose caption was on the account already.
 */
const CLOCK_SLACK_MS = 24 * 3_600_000;

/** The part of a permalink that names the media: `/p/`, `/reel/` and `/tv/` lead to the same one; a story has its number. */
const shortcodeOf = (permalink: string | null): string | null =>
  /\/(?:p|reel|tv|stories\/[\w.]{1,30})\/([\w-]{1,64})/u.exec(permalink ?? '')?.[1] ?? null;

/**
 * Media on the account that can be the post of this attempt, published since it began, not linked to another attempt: the one at the address
 * that a person gave, otherwise those with the same caption and form. A story has no caption: each one that the account shows can be it.
 */
export async function findOnAccount(attempt: PublishAttempt, publisher: Publisher, linked: LinkedMedia): Promise<PublishedMedia[]> {
  // Any call of this attempt may have published the post, not only the last.
  const since = new Date(attempt.createdAt.getTime() - CLOCK_SLACK_MS);
  const stated = shortcodeOf(attempt.permalink);
  // of the caption, because the stored hash may be of a version that compared captions in another way
  const wanted = captionHash(attempt.caption);
  const { kind } = attempt;
  const isOfAttempt = (media: PublishedMedia): boolean =>
    stated === null
      ? kind === 'story' || ([MEDIA_TYPE[kind], 'UNKNOWN'].includes(media.mediaType) && captionHash(media.caption ?? '') === wanted)
      : shortcodeOf(media.permalink) === stated;
  const listed = kind === 'story' ? publisher.stories() : publisher.recentMedia(since);
  const recent = (await listed).filter((media) => Date.parse(media.timestamp) >= since.getTime() && isOfAttempt(media));
  if (recent.length === 0) return [];
  const taken = await linked.findLinked(
    attempt.accountId,
    recent.map((media) => media.id),
    attempt.id,
  );
  return recent.filter((media) => !taken.has(media.id));
}
