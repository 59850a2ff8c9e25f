import { objectIn, PipelineError, type Failure } from '@autoposter/domain';
import type { Answer } from './exchange';

type Refusal = Pick<Failure, 'kind' | 'message' | 'side' | 'nextAction'>;

const OWN_KEY = 'Check REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET and whether Reddit has approved this application.';

/** Reasons that Reddit names in the JSON of a 403 or 404. */
const BY_REASON: Readonly<Record<string, Refusal>> = {
  private: {
    kind: 'upstream_rejected',
    message: 'This subreddit is private.',
    side: 'reddit',
    nextAction: 'Remove the subreddit, or ask its moderators for access.',
  },
  quarantined: {
    kind: 'upstream_rejected',
    message: 'This subreddit is quarantined by Reddit and not readable for applications.',
    side: 'reddit',
    nextAction: 'Remove the subreddit.',
  },
  gated: {
    kind: 'upstream_rejected',
    message: 'This subreddit is behind a warning page of Reddit and not readable for applications.',
    side: 'reddit',
    nextAction: 'Remove the subreddit.',
  },
  gold_only: {
    kind: 'upstream_rejected',
    message: 'This subreddit is for premium members only.',
    side: 'reddit',
    nextAction: 'Remove the subreddit.',
  },
  banned: {
    kind: 'not_found',
    message: 'This subreddit has been banned by Reddit.',
    side: 'reddit',
    nextAction: 'Remove the subreddit.',
  },
};

const UNKNOWN_SUBREDDIT: Refusal = {
  kind: 'not_found',
  message: 'Reddit knows no subreddit of this name.',
  side: 'reddit',
  nextAction: 'Check the spelling of the name.',
};

const BY_STATUS: Readonly<Record<number, Refusal>> = {
  301: UNKNOWN_SUBREDDIT,
  302: UNKNOWN_SUBREDDIT,
  400: {
    kind: 'invalid_input',
    message: 'Reddit did not understand the request.',
    side: 'reddit',
    nextAction: 'Check the address or the name.',
  },
  401: { kind: 'not_authorised', message: 'Reddit rejected the credentials.', side: 'operator', nextAction: OWN_KEY },
  403: { kind: 'upstream_rejected', message: 'Reddit does not allow this application to read that.', side: 'reddit', nextAction: OWN_KEY },
  404: { kind: 'not_found', message: 'Reddit has no such post or subreddit.', side: 'reddit', nextAction: 'Check the address.' },
  414: {
    kind: 'invalid_input',
    message: 'The request to Reddit was too long.',
    side: 'ours',
    nextAction: 'Ask for fewer posts at a time.',
  },
  451: {
    kind: 'rights_blocked',
    message: 'Reddit withholds this for legal reasons.',
    side: 'reddit',
    nextAction: 'Do not use this post.',
  },
};

/** An HTML 403: Reddit's edge refuses the network or the User-Agent, which no other post would change. */
const BLOCKED: Refusal = {
  kind: 'not_authorised',
  message: 'Reddit blocks requests from this machine.',
  side: 'operator',
  nextAction: 'Check REDDIT_USER_AGENT and REDDIT_CLIENT_ID; Reddit blocks unknown applications and many data-centre networks.',
};

const LATER: Refusal = {
  kind: 'transient',
  message: 'Reddit has a problem of its own.',
  side: 'reddit',
  nextAction: 'It is tried again by itself.',
};

/**
 * The failure that an answer of the API means, `null` for a usable one. 429 (and a block that names a time) is not decided here:
 * the rate limit does. Without a code of Reddit's own the status decides: 4xx needs a person, 5xx passes.
 */
export function refusalOf(answer: Answer): PipelineError | null {
  const { status } = answer;
  const body = objectIn(answer.json);
  const reason = typeof body['reason'] === 'string' ? body['reason'] : null;
  const named = typeof body['error'] === 'number' || (reason !== null && typeof body['message'] === 'string');
  if (status >= 200 && status < 300 && answer.json !== undefined && !named) return null;
  const errorStatus = status < 300 && typeof body['error'] === 'number' ? body['error'] : status;
  return refuse(pick(errorStatus, reason, answer), errorStatus, reason);
}

function pick(status: number, reason: string | null, answer: Answer): Refusal {
  const byReason = reason === null || status === 400 ? undefined : BY_REASON[reason];
  if (byReason) return byReason;
  if (status === 403 && answer.json === undefined) return BLOCKED;
  const byStatus = BY_STATUS[status];
  if (byStatus) return byStatus;
  // A 200 without JSON is a cut or replaced answer; 408, 5xx and the edge's own codes pass as well.
  if (status < 300 || status === 408 || status >= 500) return LATER;
  return {
    ...LATER,
    kind: 'upstream_rejected',
    message: 'Reddit refused the request.',
    nextAction: 'Look at the details of this failure.',
  };
}

function refuse(refusal: Refusal, status: number, reason: string | null): PipelineError {
  return new PipelineError({ ...refusal, detail: { status, reason } });
}
