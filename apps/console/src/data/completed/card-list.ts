import { api, type ContentItem } from '@autoposter/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

/** Captioned items as cards: what only their details show is left out. While `complete` is false, more is on its way. */
export interface CardList {
  items: readonly ContentItem[];
  total: number;
  complete: boolean;
}

/** The most that the server gives at once. */
const PAGE = 200;
/** While the first reading goes on, what came so far is shown anew after this many cards. */
const SHOWN_EVERY = 1_000;
/** A list that takes long to read is read again only after this many times as long, so that a busy pipeline does not keep it reading. */
const REST = 3;

const same = (a: ContentItem, b: ContentItem): boolean =>
  a.updatedAt === b.updatedAt &&
  a.status === b.status &&
  a.posterUrl === b.posterUrl &&
  a.processedCdnUrl === b.processedCdnUrl &&
  a.aiContent?.caption === b.aiContent?.caption &&
  a.updatedAt !== undefined;

/** Reads all cards page by page, one reading at a time; cards that did not change stay the same objects. */
class CardLoader {
  private running: Promise<CardList> | null = null;
  private next: Promise<CardList> | null = null;
  private tookMs = 0;
  /** Items that left the list while it was being read. */
  private readonly gone = new Set<string>();

  constructor(private readonly client: QueryClient) {}

  read(): Promise<CardList> {
    if (this.running === null) return this.begin();
    // What is being read may already miss what this ask is about.
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => new Promise((resolve) => setTimeout(resolve, this.tookMs * REST)))
      .then(() => {
        this.next = null;
        return this.begin();
      });
    return this.next;
  }

  drop(ids: readonly string[]): void {
    for (const id of ids) this.gone.add(id);
  }

  private begin(): Promise<CardList> {
    const began = performance.now();
    this.gone.clear();
    this.running = this.pages().finally(() => {
      this.running = null;
      this.tookMs = performance.now() - began;
    });
    return this.running;
  }

  private async pages(): Promise<CardList> {
    const known = readCards(this.client);
    const before = new Map(known?.items.map((item) => [item.id, item]));
    const items: ContentItem[] = [];
    let total = 0;
    let shown = 0;
    for (let cursor: string | undefined; ;) {
      const page = await call(api.ai.completed, { query: { limit: PAGE, cursor } });
      for (const item of page.data) {
        const old = before.get(item.id);
        items.push(old !== undefined && same(old, item) ? old : item);
      }
      total = Math.max(page.totalCount ?? total, items.length);
      const more = page.nextCursor ?? undefined;
      const list = { items: items.filter((item) => !this.gone.has(item.id)), total: more === undefined ? items.length : total };
      if (more === undefined) return { ...list, total: list.items.length, complete: true };
      if (known?.complete !== true && (shown === 0 || items.length - shown >= SHOWN_EVERY)) {
        shown = items.length;
        this.client.setQueryData<CardList>([keys.completed], { ...list, complete: false });
      }
      cursor = more;
    }
  }
}

const loaders = new WeakMap<QueryClient, CardLoader>();

export function cardLoader(client: QueryClient): CardLoader {
  const loader = loaders.get(client) ?? new CardLoader(client);
  loaders.set(client, loader);
  return loader;
}

export const readCards = (client: QueryClient): CardList | undefined => client.getQueryData<CardList>([keys.completed]);

const changeCards = (client: QueryClient, edit: (items: readonly ContentItem[]) => readonly ContentItem[]): void => {
  client.setQueryData<CardList>([keys.completed], (list) => {
    if (list === undefined) return list;
    const items = edit(list.items);
    return { ...list, items, total: Math.max(items.length, list.total + items.length - list.items.length) };
  });
};

/** Takes cards out of the list, also out of a reading that is under way. */
export function takeOut(client: QueryClient, ids: readonly string[]): void {
  cardLoader(client).drop(ids);
  const gone = new Set(ids);
  changeCards(client, (items) => items.filter((item) => !gone.has(item.id)));
}

export const patchCard = (client: QueryClient, id: string, edit: (item: ContentItem) => ContentItem): void =>
  changeCards(client, (items) => items.map((item) => (item.id === id ? edit(item) : item)));
