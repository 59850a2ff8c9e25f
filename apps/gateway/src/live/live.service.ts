import { HttpException, Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LIVE_BEAT_MS, type LiveFact } from '@autoposter/contracts';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import type { Response } from 'express';
import type { Session } from '../auth/session-tokens';
import { AuthService } from '../auth/auth.service';
import { LOGGER } from '../bootstrap/systems';
import { type FactSource, type LiveClient, LiveHub } from './live-hub';

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

const MAX_STREAMS = 2_000;
const MAX_STREAMS_PER_SESSION = 12;
/** Polls as well, because notifications can be lost with a connection. */
const POLL_MS = 2_000;

/** The open event streams: delivers facts, sends keep-alives, and closes the streams of ended sessions. */
@Injectable()
export class LiveService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly hub: LiveHub;
  private readonly perSession = new Map<string, number>();
  private readonly sessions = new Map<SseClient, Session>();
  private stopListening: (() => Promise<void>) | null = null;
  private poll: NodeJS.Timeout | null = null;
  private closing = false;

  constructor(
    private readonly database: Database,
    private readonly auth: AuthService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.hub = new LiveHub(factsOf(database), (error) => this.logger.warn({ err: error }, 'facts could not be read'));
  }

  async onApplicationBootstrap(): Promise<void> {
    this.poll = setInterval(() => {
      void this.hub.wake();
      void this.closeEnded();
    }, POLL_MS);
    this.poll.unref();
    this.stopListening = await this.database.onEvents(() => void this.hub.wake());
  }

  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    if (this.poll) clearInterval(this.poll);
    this.hub.closeAll();
    await this.stopListening?.().catch(() => undefined);
  }

  async open(response: Response, session: Session, lastSeen: number | null): Promise<void> {
    const start = await this.hub.begin(lastSeen);
    if (response.destroyed) return;
    // a HEAD request must not keep a stream open
    if (response.req.method === 'HEAD') return new SseClient(response).close();
    const open = this.perSession.get(session.sessionId) ?? 0;
    if (open >= MAX_STREAMS_PER_SESSION || this.hub.size >= MAX_STREAMS || this.closing) {
      throw new HttpException('Too many event streams are open; close some tabs.', 429);
    }
    this.perSession.set(session.sessionId, open + 1);
    const client = new SseClient(response);
    this.sessions.set(client, session);
    const beat = setInterval(() => client.beat(), LIVE_BEAT_MS);
    response.once('close', () => {
      clearInterval(beat);
      this.hub.leave(client);
      this.sessions.delete(client);
      const left = (this.perSession.get(session.sessionId) ?? 1) - 1;
      if (left > 0) this.perSession.set(session.sessionId, left);
      else this.perSession.delete(session.sessionId);
    });
    await this.hub.join(client, start);
  }

  /** Sessions can be revoked by any gateway. During a database outage streams stay open. */
  private async closeEnded(): Promise<void> {
    const ended = await this.auth.endedAmong([...this.sessions.values()]).catch(() => new Set<Session>());
    for (const [client, session] of this.sessions) if (ended.has(session)) client.close();
  }
}

const factsOf = (database: Database): FactSource => ({
  after: async (seq, limit) => {
    const records = await database.read.history.after(seq, limit);
    return records.map(({ seq: number, type, subjectId, itemId, stage, state, reason, occurredAt }) => ({
      seq: number,
      type,
      subjectId,
      itemId,
      stage,
      state,
      reason,
      occurredAt: occurredAt.toISOString(),
    }));
  },
  bounds: () => database.read.history.range(),
});
