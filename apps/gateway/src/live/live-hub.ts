import type { LiveFact } from '@autoposter/contracts';

/** Reads facts after `seq`, oldest first, at most `limit`. A reader that has seen N never misses a smaller one. */
export interface FactSource {
  after(seq: number, limit: number): Promise<LiveFact[]>;
  /** Smallest and largest number that is kept; both 0 when there is nothing. */
  bounds(): Promise<{ first: number; last: number }>;
}

/** One open stream. */
export interface LiveClient {
  /** Number of the last fact that was sent. */
  cursor: number;
  /** `false` when the reader is too slow and has to be let go. */
  send(facts: readonly LiveFact[]): boolean;
  gap(): void;
  /** Ends the stream after what was sent. */
  close(): void;
  /** Cuts the stream off, with what the reader has not taken: it comes back with the last number that it has. */
  drop(): void;
}

export interface Beginning {
  cursor: number;
  /** What the reader missed cannot be told. */
  gap: boolean;
}

const PAGE = 500;
/** A reader that missed more than this reads everything again, which is cheaper for both sides than a replay. */
const MAX_REPLAY = 10_000;

/**
 * Hands facts to all open streams. One read serves everybody who is up to date; who came with an older number is brought up page by page.
 * Being woken twice at a time costs one more read, never a second one beside the first.
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
   * Where a reader begins that saw `lastSeen` last; `null` = from now on. Asked before the reader is told that it is connected, so that
   * nothing which happens after that is taken for something before it.
   */
  async begin(lastSeen: number | null): Promise<Beginning> {
    const { first, last } = await this.facts.bounds();
    if (lastSeen === null) return { cursor: last, gap: false };
    // The numbers begin anew after the data was lost or restored, or what was missed is no longer kept.
    const gap = lastSeen > last || (first > 0 && lastSeen < first - 1) || last - lastSeen > MAX_REPLAY;
    return { cursor: gap ? last : lastSeen, gap };
  }

  /** Resolves when the reader has all that happened since its beginning. */
  async join(client: LiveClient, { cursor, gap }: Beginning): Promise<void> {
    if (gap) client.gap();
    client.cursor = cursor;
    this.clients.add(client);
    await this.wake();
  }

  leave(client: LiveClient): void {
    this.clients.delete(client);
  }

  /** Something was committed; resolves when everybody has it. Never rejects. */
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
    // In the same breath as the last look at `again`: a later call would leave a moment in which a wake-up is lost.
    this.reading = null;
  }

  private async deliver(): Promise<void> {
    for (;;) {
      const cursors = [...this.clients].map((client) => client.cursor);
      if (cursors.length === 0) return;
      const from = Math.min(...cursors);
      const page = await this.facts.after(from, PAGE);
      const newest = page[page.length - 1];
      if (newest === undefined) return;
      for (const client of [...this.clients]) this.give(client, page, newest.seq);
      if (page.length < PAGE) return;
    }
  }

  private give(client: LiveClient, page: readonly LiveFact[], newest: number): void {
    if (client.cursor >= newest) return;
    const news = page.filter((fact) => fact.seq > client.cursor);
    client.cursor = newest;
    if (news.length > 0 && !client.send(news)) {
      this.clients.delete(client);
      client.drop();
    }
  }
}
