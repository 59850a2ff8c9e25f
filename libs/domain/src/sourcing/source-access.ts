import type { Failure } from '../errors/failure';

/** Name of the report in which the workers say whether Reddit lets this installation in. */
export const REDDIT_ACCESS = 'reddit.access';

/** Whether a source answers this installation at all. */
export interface SourceAccess {
  /** What every request fails with until an operator acts; `null` while the source answers. */
  denied: Failure | null;
  /** ISO time at which this state began. */
  since: string;
}

export const REDDIT_NOT_CONFIGURED: Failure = {
  kind: 'not_configured',
  message: 'Reddit is not configured.',
  side: 'operator',
  nextAction: 'Set REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET and REDDIT_USER_AGENT.',
};

/** Whether a failure holds for every request to the source, and not for one post or subreddit. */
export const deniesAccess = ({ kind }: Pick<Failure, 'kind'>): boolean => kind === 'not_configured' || kind === 'not_authorised';
