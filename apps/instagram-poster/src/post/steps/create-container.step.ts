import type { Publisher } from '@autoposter/domain';
import type { ObjectStore } from '@autoposter/object-store';
import type { MediaFile, PublishAttempt } from '@autoposter/persistence';
import { defineStep, done, fail } from '@autoposter/stage-runner';
import type { MediaLinks } from '../media-links';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import type { Reserved } from './reserve-quota.step';

export interface Contained {
  containerId: string;
  quotaUsed: number;
  /** Containers of this attempt that came to nothing before this one. */
  earlier: number;
}

export interface ContainerTools extends PublisherTools {
  links: MediaLinks;
  objects: ObjectStore;
}

/**
 * Makes the container, or takes the one that this attempt already has. A container that nobody publishes expires by itself after 24
 * hours, so a process that dies right here costs one of the day's 400 containers and nothing else.
 */
export const createContainer = defineStep<Reserved, Contained, ContainerTools>({
  name: 'create-container',
  effect: 'idempotent',
  async run({ attempt, processed, quotaUsed }, tools) {
    const { containersMade } = attempt;
    if (attempt.containerId !== null) return done({ containerId: attempt.containerId, quotaUsed, earlier: containersMade - 1 });
    const { publisher } = tools;
    if (publisher === null) throw instagramNotConfigured();
    if (!tools.links.isPublic && !publisher.canUpload) {
      return fail({
        kind: 'not_configured',
        message: 'Instagram cannot fetch the file: there is no public address for media.',
        side: 'operator',
        nextAction: 'Set CDN_BASE_URL to an address that the internet reaches, then post again.',
      });
    }
    const first = processed[0];
    if (first === undefined) throw new Error('a post needs at least one file');
    if (processed.length === 1) {
      const kind = first.mediaType === 'video' ? 'reel' : 'image';
      const { containerId } = await publisher.createContainer({ kind, caption: attempt.caption, ...source(first, tools) });
      return done({ containerId, quotaUsed, earlier: containersMade });
    }
    return done({ containerId: await createCarousel(publisher, attempt, processed, tools), quotaUsed, earlier: containersMade });
  },
});

/** Instagram takes two to ten files in one post. */
const MAX_CHILDREN = 10;

async function createCarousel(publisher: Publisher, attempt: PublishAttempt, files: MediaFile[], tools: ContainerTools): Promise<string> {
  const children: string[] = [];
  for (const file of files.slice(0, MAX_CHILDREN)) {
    const kind = file.mediaType === 'video' ? 'carousel_child_video' : 'carousel_child_image';
    children.push((await publisher.createContainer({ kind, caption: null, ...source(file, tools) })).containerId);
  }
  const parent = await publisher.createContainer({ kind: 'carousel', mediaUrl: null, caption: attempt.caption, children });
  return parent.containerId;
}

function source(file: MediaFile, { links, objects }: ContainerTools) {
  if (links.isPublic) return { mediaUrl: links.forMeta(file.objectKey) };
  const open = async () => (await objects.get(file.objectKey)).stream;
  return { mediaUrl: null, upload: { bytes: file.bytes, open } };
}
