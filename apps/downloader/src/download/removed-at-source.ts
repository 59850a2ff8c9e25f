import type { Platform } from '@autoposter/contracts';
import { type Failure, failureOf } from '@autoposter/domain';

/** The same finding whether the post says so or its media host does. */
export const removedAtSource = (platform: Platform): Failure => failureOf('removed_at_source', { side: platform });
