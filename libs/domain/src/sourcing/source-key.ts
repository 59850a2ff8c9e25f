import type { SourcePost } from './content-source.port';

/**
 * What a post shows, told by its media: equal for a post, its crossposts and reposts of the same upload. Signatures and renditions do not
 * count. A post without media (yet) is told by the post that it leads back to.
 */
export function sourceKeyOf({ media, originId, sourceId }: Pick<SourcePost, 'media' | 'originId' | 'sourceId'>): string {
  if (media.length === 0) return `post:${originId ?? sourceId}`;
  return `media:${media.map(({ manifestUrl, url }) => placeOf(manifestUrl ?? url)).join(' ')}`.slice(0, 2000);
}

function placeOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname } = new URL(address);
  return host + pathname;
}
