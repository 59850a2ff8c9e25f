import { api, type ContentItem } from '@autoposter/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';
import { loaderOf } from '../paged/list-loader';

/** Reads captioned items as cards: what only their details show is left out. */
export const cardLoader = loaderOf<ContentItem>({
  root: keys.completed,
  read: (query) => call(api.ai.completed, { query }),
  idOf: (item) => item.id,
  same: (a, b) =>
    a.updatedAt === b.updatedAt &&
    a.status === b.status &&
    a.posterUrl === b.posterUrl &&
    a.processedCdnUrl === b.processedCdnUrl &&
    a.aiContent?.caption === b.aiContent?.caption &&
    a.updatedAt !== undefined,
});

export const takeOut = (client: QueryClient, ids: readonly string[]): void => cardLoader(client).drop(ids);

export const patchCard = (client: QueryClient, id: string, edit: (item: ContentItem) => ContentItem): void =>
  cardLoader(client).edit((items) => items.map((item) => (item.id === id ? edit(item) : item)));
