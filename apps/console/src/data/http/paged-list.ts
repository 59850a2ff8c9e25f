import type { QueryClient } from '@tanstack/react-query';
import type { KeyRoot } from './cache';

/** A list that is read page by page. While `complete` is false, more is on its way. */
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

export interface ListSource<T> {
  root: KeyRoot;
  read: (query: { limit: number; cursor: string | undefined }) => Promise<Page<T>>;
  idOf: (entry: T) => string;
  /** Whether both show the same; then the older object stays, and what draws it need not be drawn anew. */
  same: (a: T, b: T) => boolean;
}

/** The most that the server gives at once. */
const PAGE = 200;
/** While the first reading goes on, what came so far is shown anew after this many entries. */
const SHOWN_EVERY = 1_000;
/** A list that takes long to read is read again only after this many times as long, so that a busy pipeline does not keep it reading. */
const REST = 3;

/** Reads a whole list in pages, one reading at a time. */
export class ListLoader<T> {
  private running: Promise<PagedList<T>> | null = null;
  private next: Promise<PagedList<T>> | null = null;
  private tookMs = 0;
  /** Entries that left the list while it was being read. */
  private readonly gone = new Set<string>();

  constructor(
    private readonly client: QueryClient,
    private readonly source: ListSource<T>,
  ) {}

  read(): Promise<PagedList<T>> {
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

  /** Takes entries out of the list, also out of a reading that is under way. */
  drop(ids: readonly string[]): void {
    for (const id of ids) this.gone.add(id);
    this.edit((data) => data.filter((entry) => !this.gone.has(this.source.idOf(entry))));
  }

  edit(change: (data: readonly T[]) => readonly T[]): void {
    this.client.setQueryData<PagedList<T>>([this.source.root], (list) => {
      if (list === undefined) return list;
      const data = change(list.data);
      return { ...list, data, total: Math.max(data.length, list.total + data.length - list.data.length) };
    });
  }

  private begin(): Promise<PagedList<T>> {
    const began = performance.now();
    this.gone.clear();
    this.running = this.pages()
      .then((list) => {
        // What asked for this may wait for a later reading by now; what was read is shown all the same.
        this.client.setQueryData<PagedList<T>>([this.source.root], list);
        return list;
      })
      .finally(() => {
        this.running = null;
        this.tookMs = performance.now() - began;
      });
    return this.running;
  }

  private async pages(): Promise<PagedList<T>> {
    const { root, read, idOf, same } = this.source;
    const known = this.client.getQueryData<PagedList<T>>([root]);
    const before = new Map(known?.data.map((entry) => [idOf(entry), entry]));
    const entries: T[] = [];
    let total = 0;
    let shown = 0;
    for (let cursor: string | undefined; ;) {
      const page = await read({ limit: PAGE, cursor });
      for (const entry of page.data) {
        const old = before.get(idOf(entry));
        entries.push(old !== undefined && same(old, entry) ? old : entry);
      }
      total = Math.max(page.totalCount ?? total, entries.length);
      const data = entries.filter((entry) => !this.gone.has(idOf(entry)));
      cursor = page.nextCursor ?? undefined;
      if (cursor === undefined) return { data, total: data.length, complete: true };
      if (known?.complete !== true && (shown === 0 || entries.length - shown >= SHOWN_EVERY)) {
        shown = entries.length;
        this.client.setQueryData<PagedList<T>>([root], { data, total, complete: false });
      }
    }
  }
}

/** One loader for each list and cache. */
export function loaderOf<T>(source: ListSource<T>): (client: QueryClient) => ListLoader<T> {
  const loaders = new WeakMap<QueryClient, ListLoader<T>>();
  return (client) => {
    const loader = loaders.get(client) ?? new ListLoader(client, source);
    loaders.set(client, loader);
    return loader;
  };
}
