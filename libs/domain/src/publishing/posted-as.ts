/** What a post goes out as: one video, one picture, several files. */
export type PostKind = 'reel' | 'image' | 'carousel';

/**
 * The platform's word for what was posted, as it is named when a post is made. Its media list calls a reel `VIDEO` and a carousel
 * `CAROUSEL_ALBUM`; whoever settled a post, it is shown under one name.
 */
export const POSTED_AS: Record<PostKind, 'REELS' | 'IMAGE' | 'CAROUSEL'> = { reel: 'REELS', image: 'IMAGE', carousel: 'CAROUSEL' };
