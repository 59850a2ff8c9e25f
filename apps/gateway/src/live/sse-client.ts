import type { LiveFact } from '@autoposter/contracts';
import type { Response } from 'express';
import type { LiveClient } from './live-hub';

/** A client with a larger backlog is dropped; it reconnects with its last number and misses nothing. */
const MAX_BACKLOG_BYTES = 1_000_000;
const RETRY_MS = 2_000;

/** One stream of server-sent events. */
export class SseClient implements LiveClient {
  cursor = 0;

  constructor(private readonly response: Response) {
    response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      // `no-transform` disables compression, `X-Accel-Buffering` the buffering of a reverse proxy
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      Connection: 'keep-alive',
    });
    response.flushHeaders();
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  send(facts: readonly LiveFact[]): boolean {
    this.write(facts.map((fact) => `id: ${fact.seq}\nevent: fact\ndata: ${JSON.stringify(fact)}\n\n`).join(''));
    return this.response.writableLength <= MAX_BACKLOG_BYTES;
  }

  gap(): void {
    this.write('event: gap\ndata: {}\n\n');
  }

  beat(): void {
    this.write('event: beat\ndata: {}\n\n');
  }

  close(): void {
    this.response.end();
  }

  drop(): void {
    this.response.destroy();
  }

  private write(text: string): void {
    if (!this.response.writableEnded && !this.response.destroyed) this.response.write(text);
  }
}
