import { failureOf, type Failure } from '../errors/failure';

/** Name of the report in which workers record whether Reddit answers this installation. */
export const REDDIT_ACCESS = 'reddit.access';

/** Whether a source answers this installation at all. */
export interface SourceAccess {
  /** The failure of every request until an operator acts; `null` while the source answers. */
  denied: Failure | null;
  /** ISO time at which this state began. */
  since: string;
}

export const REDDIT_NOT_CONFIGURED = failureOf('reddit_not_configured');

/** Whether a failure holds for every request to the source, not for one post or subreddit. */
export const deniesAccess = ({ kind }: Pick<Failure, 'kind'>): boolean => kind === 'not_configured' || kind === 'not_authorised';
