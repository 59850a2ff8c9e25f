import type { Container } from './instagram-state';

export type ContainerStatus = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED';

export const CONTAINER_LIFE_MS = 86_400_000;

export function statusOf(container: Container, now: number): ContainerStatus {
  if (container.publishedMediaId !== null) return 'PUBLISHED';
  if (now - container.createdAt >= CONTAINER_LIFE_MS) return 'EXPIRED';
  if (container.errorSubcode !== null && container.settled) return 'ERROR';
  return container.settled && now >= container.readyAt ? 'FINISHED' : 'IN_PROGRESS';
}

/** The free text beside the code; a failure's subcode stands in it and nowhere else. */
export function statusText(container: Container, status: ContainerStatus): string {
  switch (status) {
    case 'FINISHED':
      return 'Finished: Media has been uploaded and it is ready to be published.';
    case 'PUBLISHED':
      return 'Published: Media has been successfully published.';
    case 'EXPIRED':
      return 'Expired: The container was not published within 24 hours and has expired.';
    case 'ERROR':
      return `Error: Media upload has failed with error code ${container.errorSubcode}`;
    default:
      return 'In Progress: Media is still being processed.';
  }
}
