import type { Platform } from '@autoposter/contracts';
import {
  changeFailure,
  deniesAccess,
  type Failure,
  PipelineError,
  type PostSource,
  type SourceComment,
  type SourcePost,
  type TargetedPost,
  unusableOf,
} from '@autoposter/domain';
import { type StepContext, type Skipped, type StepResult, defineStep, done, fail, skip, wait, waitingSince } from '@autoposter/job-engine';
import { type ContentItem, targetedPost } from '@autoposter/persistence';
import { type ClaimLookup, findNamingClaims } from '@autoposter/workflow';
import type { KnownPosts } from '../../collect/steps/drop-known.step';
import { alreadyHere, notConfigured, removedAtSource } from '../../fetching/unusable-source';

export interface DownloadInput {
  item: ContentItem;
}

export interface Resolved {
  post: SourcePost;
  topComments: SourceComment[];
}

export interface ResolveTools {
  /** The platforms' clients; `null` where a platform is not configured. */
  sources: Record<Platform, PostSource | null>;
  known: KnownPosts;
  claims: ClaimLookup;
}

/** Why a post is not downloaded although it could be. */
export interface Claimed {
  claim: Failure;
  post: SourcePost | null;
}

/** Asks the source again even for a post that was just listed: its links expire, and it may be gone. */
export const resolveSource = defineStep<DownloadInput, Resolved, ResolveTools>({
  name: 'resolve-source',
  effect: 'read',
  async run({ item }, tools, context) {
    // neither the post nor its files are requested once a claim names them
    const claimedItem = await claimed(tools.claims, targetedPost(item), null);
    if (claimedItem !== null) return claimedItem;
    const source = tools.sources[item.platform];
    let found: Resolved;
    try {
      if (source === null) throw notConfigured(item.platform);
      found = await source.resolve(item.originalUrl, context.forPerson);
    } catch (error) {
      if (error instanceof PipelineError && error.failure.code === 'reddit_post_pending') return untilProcessed(error.failure, context);
      // a collected post waits until an operator has acted; a pasted link fails immediately
      if (error instanceof PipelineError && deniesAccess(error.failure) && !context.forPerson)
        return wait(CHECK_SECONDS, error.failure.message);
      throw error;
    }
    const { post, topComments } = found;
    if (post.removed) {
      return fail(removedAtSource(item.platform), { post, topComments });
    }
    if (post.sourceId !== item.sourceId && (await tools.known.findKnown(post.platform, [post.sourceId])).size > 0) return alreadyHere(post);
    const claimedPost = await claimed(tools.claims, post, post);
    if (claimedPost !== null) return claimedPost;
    const refusal = unusableOf(post);
    if (refusal !== null) return skip(refusal.reason, refusal.info, post);
    if (post.media.length === 0)
      return skip('unsupported_format', `The ${post.postType} of this post has no address to fetch it from.`, post);
    return done({ post, topComments });
  },
});

async function claimed(claims: ClaimLookup, named: TargetedPost, post: SourcePost | null): Promise<Skipped | null> {
  const claim = (await findNamingClaims(claims, [named])).get(named);
  return claim === undefined ? null : skip('dmca_failure', claim.message, { claim, post } satisfies Claimed);
}

const CHECK_SECONDS = 60;
const MAX_WAIT_MS = 3_600_000;

/** The source processes a new video for some minutes, which is an error only if it never ends. */
async function untilProcessed(failure: Failure, context: StepContext): Promise<StepResult<never>> {
  const since = await waitingSince(context);
  if (context.now.getTime() - since.getTime() < MAX_WAIT_MS) return wait(CHECK_SECONDS, failure.message);
  return fail(changeFailure(failure, { kind: 'upstream_rejected', action: 'retry_when_playable' }));
}
