import type { ContentItem } from '@autoposter/contracts';

/** Already published: nothing offers to post it again. */
export const isPosted = (item: Pick<ContentItem, 'status'>): boolean => item.status === 'instagram_posted';

/** Whether the key press belongs to something that is being typed. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
