import type { Platform } from '@autoposter/contracts';
import { PipelineError, type PostSource, type SourceComment, type SourcePost } from '@autoposter/domain';
import type { ContentItem } from '@autoposter/persistence';
import { defineStep, done, fail, skip } from '@autoposter/stage-runner';

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
}

const NOT_CONFIGURED: Record<Platform, string> = {
  reddit: 'Set REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET and REDDIT_USER_AGENT, then retry.',
  instagram: 'Set INSTAGRAM_ACCESS_TOKEN and INSTAGRAM_BUSINESS_ACCOUNT_ID, then retry.',
};

/** Asks the source again even for a post that was just listed: its links expire, and it may be gone. */
export const resolveSource = defineStep<DownloadInput, Resolved, ResolveTools>({
  name: 'resolve-source',
  effect: 'read',
  async run({ item }, tools) {
    const source = tools.sources[item.platform];
    if (source === null) {
      throw new PipelineError({
        kind: 'not_configured',
        message: `${item.platform === 'reddit' ? 'Reddit' : 'Instagram'} is not configured.`,
        side: 'operator',
        nextAction: NOT_CONFIGURED[item.platform],
      });
    }
    const { post, topComments } = await source.resolve(item.originalUrl);
    if (post.removed) {
      return fail({
        kind: 'not_found',
        message: 'The post was removed or deleted at its source.',
        side: item.platform,
        nextAction: 'Leave it out: removed posts must not be used.',
      });
    }
    if (post.unfetchable !== null) return skip('unsupported_format', post.unfetchable, post);
    if (post.media.length === 0) return skip('content_type_filter', `A ${post.postType} post has no picture or video to use.`, post);
    return done({ post, topComments });
  },
});
