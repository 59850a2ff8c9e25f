import { parseSourceUrl, PipelineError, type FailureKind } from '@autoposter/domain';
import type { Answer } from './exchange';

/**
 * The post id in the `Location` of a share link's redirect. The address is parsed, not followed: only Reddit's own hosts and the
 * configured www origin are believed. An invalid code redirects to something without a post, or answers 404.
 */
export function resolveLocation(answer: Answer, authUrl: string): string {
  const location = answer.headers.get('location');
  if (answer.status >= 300 && answer.status < 400 && location !== null) {
    const id = idIn(location, authUrl);
    if (id) return id;
    throw failure(
      'not_found',
      'This share link leads to no post.',
      "Open the link in a browser and paste the post's own address.",
      answer.status,
    );
  }
  if (answer.status === 401 || answer.status === 403) {
    throw failure(
      'upstream_rejected',
      'Reddit does not let this application look up share links.',
      "Open the link in a browser and paste the post's own address.",
      answer.status,
    );
  }
  if (answer.status >= 500 || answer.status === 408) {
    throw failure('transient', 'Reddit has a problem of its own.', 'It is tried again by itself.', answer.status);
  }
  throw failure(
    'not_found',
    'This share link leads to no post.',
    "Open the link in a browser and paste the post's own address.",
    answer.status,
  );
}

function idIn(location: string, authUrl: string): string | null {
  try {
    const url = new URL(location, authUrl);
    const trusted = url.origin === new URL(authUrl).origin ? new URL(url.pathname, 'https://www.reddit.com').toString() : url.toString();
    const address = parseSourceUrl(trusted);
    return address?.platform === 'reddit' ? address.sourceId : null;
  } catch {
    return null;
  }
}

const failure = (kind: FailureKind, message: string, nextAction: string, status: number): PipelineError =>
  new PipelineError({ kind, message, side: 'reddit', nextAction, detail: { status } });
