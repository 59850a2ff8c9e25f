import type { ObjectStore } from '@autoposter/object-store';
import type { PublisherTools } from '../publisher-access';

/** Addresses under which Meta's servers fetch media. */
export interface MediaLinks {
  /** Whether there is an address that Meta can reach. */
  readonly isPublic: boolean;
  /** A signed address that from `now` stays valid for longer than a container lives. */
  forMeta(objectKey: string, now: Date): string;
}

export interface ContainerTools extends PublisherTools {
  links: MediaLinks;
  objects: ObjectStore;
}

/** Where the platform gets a file from: a public address where there is one, else the bytes themselves. */
export function mediaSource(file: { objectKey: string; bytes: number }, { links, objects }: ContainerTools, now: Date) {
  if (links.isPublic) return { mediaUrl: links.forMeta(file.objectKey, now) };
  const open = async () => (await objects.get(file.objectKey)).stream;
  return { mediaUrl: null, upload: { bytes: file.bytes, open } };
}
