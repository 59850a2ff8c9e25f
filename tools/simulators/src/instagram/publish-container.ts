import { CONTAINER_LIFE_MS, statusOf } from './container-status';
import { graphRefusal } from './graph-refusal';
import { requireParam, type GraphCall, type InstagramParts } from './instagram-parts';
import { newGraphId, newShortcode, type Container, type PublishedItem } from './instagram-state';

const DAY_MS = 86_400_000;

/** Posts in the rolling 24 hours; a carousel counts once. */
export function quotaUsed({ state, clock }: InstagramParts, sinceMs?: number): number {
  const from = Math.max(sinceMs ?? 0, clock.now() - DAY_MS);
  return state.published.filter((item) => item.publishedAt > from).length;
}

/** `POST /{ig-id}/media_publish`. A container goes out once; everything else is refused and changes nothing. */
export function publishContainer(parts: InstagramParts, call: GraphCall): { id: string } {
  const { state, settings, clock } = parts;
  state.publishCalls += 1;
  const container = state.containers.get(requireParam(call, 'creation_id'));
  if (!container || clock.now() - container.createdAt >= CONTAINER_LIFE_MS) throw graphRefusal('container_missing', {}, call.language);
  const status = statusOf(container, clock.now());
  if (status !== 'FINISHED' || call.behaviours.has('publish_lags')) throw graphRefusal('not_ready', {}, call.language);
  if (container.carouselItem)
    throw graphRefusal('bad_param', { what: 'Param creation_id is a carousel item and cannot be published by itself.' });
  if (quotaUsed(parts) >= settings.publishQuota) throw graphRefusal('publish_quota', {}, call.language);
  const item = publish(parts, container);
  state.save();
  return { id: item.id };
}

function publish({ state, clock, library, account }: InstagramParts, container: Container): PublishedItem {
  const sources = container.kind === 'CAROUSEL' ? container.children.map((id) => state.containers.get(id)) : [container];
  const files = sources.flatMap((source) => (source?.file ? [source.file] : []));
  const item: PublishedItem = {
    id: newGraphId(),
    accountId: account.id,
    containerId: container.id,
    kind: container.kind,
    caption: container.caption === '' ? null : container.caption,
    shortcode: newShortcode(),
    publishedAt: clock.now(),
    shareToFeed: container.shareToFeed,
    copyrightMatch: container.copyrightMatch,
    files: files.map(({ sha256, bytes, path, facts }) => ({
      sha256,
      bytes,
      path,
      contentType: facts.kind === 'image' ? 'image/jpeg' : 'video/mp4',
    })),
  };
  container.publishedMediaId = item.id;
  state.published.unshift(item);
  offerFiles(library, item);
  return item;
}

/** Puts the published files on the content network. */
export function offerFiles(library: InstagramParts['library'], item: PublishedItem): void {
  for (const { sha256, path, contentType } of item.files) library.addFile(fileName(sha256, contentType), path, contentType);
}

export function fileName(sha256: string, contentType: string): string {
  return `${sha256.slice(0, 32)}.${contentType === 'image/jpeg' ? 'jpg' : 'mp4'}`;
}
