import { PipelineError, type ContainerRequest } from '@autoposter/domain';

/** The form fields of `POST /{ig-id}/media` for a request; `upload` containers get their bytes afterwards. Throws `invalid_input`. */
export function containerParameters(request: ContainerRequest): Record<string, string> {
  const caption: Record<string, string> = request.caption === null ? {} : { caption: request.caption };
  switch (request.kind) {
    case 'reel':
      return { media_type: 'REELS', ...videoSource(request), ...caption, share_to_feed: 'true' };
    case 'image':
      return { image_url: addressOf(request), ...caption };
    case 'carousel_child_image':
      return { image_url: addressOf(request), is_carousel_item: 'true' };
    case 'carousel_child_video':
      return { media_type: 'VIDEO', ...videoSource(request), is_carousel_item: 'true' };
    case 'carousel':
      return { media_type: 'CAROUSEL', children: childrenOf(request), ...caption };
  }
}

function videoSource(request: ContainerRequest): Record<string, string> {
  return request.mediaUrl === null && request.upload ? { upload_type: 'resumable' } : { video_url: addressOf(request) };
}

function addressOf(request: ContainerRequest): string {
  if (request.mediaUrl === null)
    throw invalid('Instagram takes pictures from a public address only.', 'Set CDN_BASE_URL to a public address.');
  // Meta's fetcher takes ASCII only; URL spells everything else percent-encoded.
  return new URL(request.mediaUrl).toString();
}

function childrenOf(request: ContainerRequest): string {
  const children = request.children ?? [];
  if (children.length < 2 || children.length > 10) throw invalid('A carousel needs 2 to 10 files.', 'Use a post with 2 to 10 files.');
  return children.join(',');
}

const invalid = (message: string, nextAction: string): PipelineError =>
  new PipelineError({ kind: 'invalid_input', message, side: 'operator', nextAction });
