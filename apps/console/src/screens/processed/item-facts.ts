import type { ContentItem, InstagramConfig } from '@autoposter/contracts';

/** Already published: nothing offers to post it again. */
export const isPosted = (item: Pick<ContentItem, 'status'>): boolean => item.status === 'instagram_posted';

/** Whether Instagram can fetch the files of this item: of pictures, and galleries with them, it takes an address only. */
export const isInReach = (item: Pick<ContentItem, 'mediaType' | 'mediaCount'>, config: InstagramConfig | undefined): boolean =>
  (item.mediaType === 'video' && (item.mediaCount ?? 1) <= 1 ? config?.canPublishVideos : config?.canPublishImages) !== false;

/** Videos with a detailed analysis; a card only tells whether there is one. */
export const hasAnalysis = ({ mediaType, aiContent }: Pick<ContentItem, 'mediaType' | 'aiContent'>): boolean =>
  mediaType === 'video' && aiContent !== null && (aiContent.hasDetailedAnalysis ?? aiContent.detailedAnalysis !== null);

/** Whether a video may start without being asked to. */
export const playsByItself = (): boolean => !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
