import {
  type ApiAccess,
  checkCaption,
  type Failure,
  failureOf,
  type MediaAccess,
  refuseCover,
  refuseOptions,
  whyOutOfReach,
} from '@autoposter/domain';
import type { ContentItem, MediaFile, PublishAttempt } from '@autoposter/persistence';
import { defineStep, done, fail, wait } from '@autoposter/job-engine';
import { captionHash } from '@autoposter/workflow';
import type { MediaReach } from '../../account/check-media-address';
import { instagramNotConfigured, otherAccount, type PublisherTools } from '../../publisher-access';
import { alreadyPublished, whilePaused, type PauseSwitch } from '../publish-conditions';

export interface PostInput {
  attempt: PublishAttempt;
  item: ContentItem;
  processed: MediaFile[];
  /** What an administrator uploaded for a reel. */
  cover: MediaFile | null;
}

export interface PublishLedger {
  /** Whether this caption with this media already went out from this account, or may have. */
  findEarlier(attempt: PublishAttempt): Promise<{ permalink: string | null; mediaId: string | null } | null>;
}

/** How far back the account's own media is compared: covers a restored backup and a second installation. */
const LOOK_BACK_MS = 7 * 86_400_000;

interface PreflightTools extends PublisherTools {
  publishing: PauseSwitch;
  ledger: PublishLedger;
  access: MediaAccess;
  api: ApiAccess | null;
  /** INSTAGRAM_HASHTAG_LIMIT. */
  maxHashtags: number;
  reach: MediaReach;
}

/** Between two checks of an address that an administrator has to set or to correct. */
const UNREACHABLE_SECONDS = 300;

/** The last check before anything reaches Instagram: may the post be published, and is it not published already? */
export const preflight = defineStep<PostInput, PostInput, PreflightTools>({
  name: 'preflight',
  effect: 'read',
  async run(input, { publisher, publishing, ledger, access, api, maxHashtags, reach }, { now }) {
    if (publisher === null) throw instagramNotConfigured();
    const { attempt, processed, cover } = input;
    if (attempt.accountId !== publisher.accountId) return fail(otherAccount(attempt.accountId));
    if (await publishing.isPaused()) return whilePaused();
    // An existing container passed these checks before it was made; from here on only its own status counts.
    if (attempt.containerId !== null) return done(input);
    const types = processed.map((file) => file.mediaType);
    const outOfReach = whyOutOfReach(types, access);
    if (outOfReach !== null) return wait(UNREACHABLE_SECONDS, `${outOfReach.message} ${outOfReach.nextAction}`);
    const refused = refuseOptions(attempt.options, {
      kind: attempt.kind,
      access: api,
      seconds: processed[0]?.durationSeconds ?? null,
      bytes: processed[0]?.bytes ?? null,
      types,
    });
    if (refused !== null) return fail(refused);
    const unusable = cover === null ? null : refuseCover({ kind: attempt.kind, hasPublicAddress: access.images });
    if (unusable !== null) return fail(unusable);
    const isStory = attempt.kind === 'story';
    // Instagram accepts an empty caption, and a story has none
    const broken = isStory
      ? []
      : checkCaption(attempt.caption, { maxHashtags }).filter(({ code, severity }) => severity === 'limit' && code !== 'empty');
    if (broken.length > 0) return fail(unacceptable(broken.map(({ message }) => message).join(' ')));
    const earlier = await ledger.findEarlier(attempt);
    if (earlier !== null) return fail(alreadyPublished(earlier.permalink));
    // Instagram fetches the files of a gallery from the same address
    for (const file of [processed[0], cover]) {
      const unreachable = file ? await reach.problemWith(file, now) : null;
      if (unreachable === null) continue;
      // waiting brings no file back
      if (isLost(unreachable)) return fail(unreachable);
      return wait(UNREACHABLE_SECONDS, `${unreachable.message} ${unreachable.nextAction}`);
    }
    if (isStory) return done(input);
    const recent = await publisher.recentMedia(new Date(now.getTime() - LOOK_BACK_MS));
    const caption = captionHash(attempt.caption);
    const same = recent.find((media) => media.caption !== null && captionHash(media.caption) === caption);
    return same === undefined ? done(input) : fail(alreadyPublished(same.permalink));
  },
});

const isLost = ({ code }: Failure): boolean => code === 'stored_file_missing' || code === 'stored_file_damaged';

const unacceptable = (violations: string): Failure => failureOf('caption_refused', { fields: { violations } });
