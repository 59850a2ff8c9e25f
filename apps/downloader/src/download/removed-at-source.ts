import type { Platform } from '@autoposter/contracts';
import type { Failure } from '@autoposter/domain';

/** The same finding whether the post says so or its media host does. */
export const removedAtSource = (platform: Platform): Failure => ({
  kind: 'not_found',
  message: 'The post was removed or deleted at its source.',
  side: platform,
  nextAction: 'Leave it out: removed posts must not be used.',
});
