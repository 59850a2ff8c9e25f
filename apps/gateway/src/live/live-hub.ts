import type { LiveFact } from '@autoposter/contracts';

/** Facts in the order of their sequence number. Numbers become visible in order: after N, no smaller one can appear. */
export interface FactSource {
  after(seq: number, limit: number): Promise<LiveFact[]>;
  /** Smallest and largest stored number; both 0 without facts. */
  bounds(): Promise<{ first: number; last: number }>;
}

/** An open stream. */
export interface LiveClient {
  /** Sequence number of the last sent fact. */
  cursor: number;
  /** `false` if the client is too slow and must be dropped. */
  send(facts: readonly LiveFact[]): boolean;
  gap(): void;
  /** Ends the stream after the buffered data. */
  close(): void;
  /** Aborts the stream and its buffered data; the client reconnects with its last number. */
  drop(): void;
}

interface StreamStart {
  cursor: number;
  /** The missed facts cannot be replayed. */
  gap: boolean;
}

const PAGE = 500;
/** Beyond this, reloading is cheaper for both sides than a replay. */
const MAX_REPLAY = 10_000;

/**
 * Sends facts to all open streams. One read serves all current clients; a client with an older cursor catches up page by page. Concurrent
 * wake-ups cause one more read, never a parallel one.
 */
export class LiveHub {
  private readonly clients = new Set<LiveClient>();
  private reading: Promise<void> | null = null;
  private again = false;

  constructor(
    private readonly facts: FactSource,
    private readonly onError: (error: unknown) => void,
  ) {}

  get size(): number {
    return this.clients.size;
  }

  /**
   * The start position of a client that received `lastSeen` last; `null` = from now on. Must be called before the client learns that it is
   * connected, so that no later fact is missed.
   */
  async begin(lastSeen: number | null): Promise<StreamStart> {
    const { first, last } = await this.facts.bounds();
    if (lastSeen === null) return { cursor: last, gap: false };
    // numbering restarted (lost or restored data), or retention deleted the missed facts
    const gap = lastSeen > last || (first > 0 && lastSeen < first - 1) || last - lastSeen > MAX_REPLAY;
    return { cursor: gap ? last : lastSeen, gap };
  }

  /** Resolves when the client has caught up. */
  async join(client: LiveClient, { cursor, gap }: StreamStart): Promise<void> {
    if (gap) client.gap();
    client.cursor = cursor;
    this.clients.add(client);
    await this.wake();
  }

  leave(client: LiveClient): void {
    this.clients.delete(client);
  }

  /** Delivers new facts; resolves when all clients have them. Never rejects. */
  wake(): Promise<void> {
    if (this.reading) {
      this.again = true;
      return this.reading;
    }
    this.reading = this.drain();
    return this.reading;
  }

  closeAll(): void {
    for (const client of [...this.clients]) client.close();
    this.clients.clear();
  }

  private async drain(): Promise<void> {
    do {
      this.again = false;
      await this.deliver().catch(this.onError);
    } while (this.again);
    // synchronous with the last check of `again`: otherwise a wake-up in between would be lost
    this.reading = null;
  }

  private async deliver(): Promise<void> {
    for (;;) {
      const readers = [...this.clients];
      if (readers.length === 0) return;
      const from = Math.min(...readers.map((client) => client.cursor));
      const page = await this.facts.after(from, PAGE);
      const newest = page[page.length - 1];
      if (newest === undefined) return;
      // a client that joined during the read may lack earlier facts than the page has: its own wake-up serves it
      for (const client of readers) if (this.clients.has(client)) this.deliverTo(client, page, newest.seq);
      if (page.length < PAGE) return;
    }
  }

  private deliverTo(client: LiveClient, page: readonly LiveFact[], newest: number): void {
    if (client.cursor >= newest) return;
    const news = page.filter((fact) => fact.seq > client.cursor);
    client.cursor = newest;
    if (news.length > 0 && !client.send(news)) {
      this.clients.delete(client);
      client.drop();
    }
  }
}
