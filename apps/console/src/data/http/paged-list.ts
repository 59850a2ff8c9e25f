import type { QueryClient } from '@tanstack/react-query';
import type { KeyRoot } from './cache';
import { unreadable } from './client';

/** A list that is fetched page by page; `complete` is false until the last page. */
export interface PagedList<T> {
  data: readonly T[];
  total: number;
  complete: boolean;
}

interface Page<T> {
  data: readonly T[];
  nextCursor?: string | null | undefined;
  totalCount?: number | undefined;
}

interface ListSource<T> {
  root: KeyRoot;
  read: (query: { limit: number; cursor: string | undefined }) => Promise<Page<T>>;
  idOf: (entry: T) => string;
  /** Whether both render the same; the older object is then kept, so that memoised rows do not render again. */
  same: (a: T, b: T) => boolean;
}

/** Largest page of the API. */
const PAGE = 200;
/** During the first fetch the list on the screen grows in steps of this many entries. */
const PUBLISH_EVERY = 1_000;
/** The pause before the next fetch, as a multiple of the last one's duration: a busy pipeline must not cause permanent fetching. */
const PAUSE_FACTOR = 3;

/** Fetches a whole list in pages, one fetch at a time. */
class PagedListReader<T> {
  private running: Promise<PagedList<T>> | null = null;
  private next: Promise<PagedList<T>> | null = null;
  private durationMs = 0;
  /** Entries that were dropped during a fetch. */
  private readonly dropped = new Set<string>();

  constructor(
    private readonly client: QueryClient,
    private readonly source: ListSource<T>,
  ) {}

  read(): Promise<PagedList<T>> {
    if (this.running === null) return this.start();
    // The running fetch may have read its first pages before the change that this call is about.
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => new Promise((resolve) => setTimeout(resolve, this.durationMs * PAUSE_FACTOR)))
      .then(() => {
        this.next = null;
        return this.start();
      });
    return this.next;
  }

  drop(ids: readonly string[]): void {
    for (const id of ids) this.dropped.add(id);
    this.edit((data) => data.filter((entry) => !this.dropped.has(this.source.idOf(entry))));
  }

  edit(change: (data: readonly T[]) => readonly T[]): void {
    this.client.setQueryData<PagedList<T>>([this.source.root], (list) => {
      if (list === undefined) return list;
      const data = change(list.data);
      return { ...list, data, total: Math.max(data.length, list.total + data.length - list.data.length) };
    });
  }

  private start(): Promise<PagedList<T>> {
    const startedAt = performance.now();
    this.dropped.clear();
    this.running = this.fetchPages()
      .then((list) => {
        // React Query may have cancelled the query that started this fetch; its result is still newer than the cache.
        this.client.setQueryData<PagedList<T>>([this.source.root], list);
        return list;
      })
      .finally(() => {
        this.running = null;
        this.durationMs = performance.now() - startedAt;
      });
    return this.running;
  }

  private async fetchPages(): Promise<PagedList<T>> {
    const { root, read, idOf, same } = this.source;
    const known = this.client.getQueryData<PagedList<T>>([root]);
    const before = new Map(known?.data.map((entry) => [idOf(entry), entry]));
    const entries: T[] = [];
    let total = 0;
    let published = 0;
    for (let cursor: string | undefined; ;) {
      const page = await read({ limit: PAGE, cursor });
      if (!Array.isArray(page.data)) throw unreadable();
      for (const entry of page.data) {
        const old = before.get(idOf(entry));
        entries.push(old !== undefined && same(old, entry) ? old : entry);
      }
      total = Math.max(page.totalCount ?? total, entries.length);
      const data = entries.filter((entry) => !this.dropped.has(idOf(entry)));
      cursor = page.nextCursor ?? undefined;
      if (cursor === undefined) return { data, total: data.length, complete: true };
      if (known?.complete !== true && (published === 0 || entries.length - published >= PUBLISH_EVERY)) {
        published = entries.length;
        this.client.setQueryData<PagedList<T>>([root], { data, total, complete: false });
      }
    }
  }
}

/** One reader per list and query client. */
export function pagedListOf<T>(source: ListSource<T>): (client: QueryClient) => PagedListReader<T> {
  const readers = new WeakMap<QueryClient, PagedListReader<T>>();
  return (client) => {
    const reader = readers.get(client) ?? new PagedListReader(client, source);
    readers.set(client, reader);
    return reader;
  };
}
