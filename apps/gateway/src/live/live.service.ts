import { HttpException, Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LIVE_BEAT_MS } from '@autoposter/contracts';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import type { Response } from 'express';
import type { Session } from '../auth/session-tokens';
import { AuthService } from '../auth/auth.service';
import { LOGGER } from '../bootstrap/systems';
import { LiveHub, type FactSource } from './live-hub';
import { SseClient } from './sse-client';

const MAX_STREAMS = 2_000;
const MAX_STREAMS_PER_SESSION = 12;
/** Also looked at unannounced, for announcements can be lost with a connection. */
const LOOK_MS = 2_000;

/** Keeps the open streams: wakes them, keeps their lines alive, and closes those whose session has ended. */
@Injectable()
export class LiveService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly hub: LiveHub;
  private readonly perSession = new Map<string, number>();
  private readonly sessions = new Map<SseClient, Session>();
  private stopListening: (() => Promise<void>) | null = null;
  private look: NodeJS.Timeout | null = null;
  private closing = false;

  constructor(
    private readonly database: Database,
    private readonly auth: AuthService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.hub = new LiveHub(factsOf(database), (error) => this.logger.warn({ err: error }, 'facts could not be read'));
  }

  async onApplicationBootstrap(): Promise<void> {
    this.look = setInterval(() => {
      void this.hub.wake();
      void this.closeEnded();
    }, LOOK_MS);
    this.look.unref();
    try {
      this.stopListening = await this.database.onEvents(() => void this.hub.wake());
    } catch (error) {
      this.logger.warn({ err: error }, 'facts are looked up every two seconds only');
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    if (this.look) clearInterval(this.look);
    this.hub.closeAll();
    await this.stopListening?.().catch(() => undefined);
  }

  /** Opens a stream for a session; it ends with the session. */
  async open(response: Response, session: Session, lastSeen: number | null): Promise<void> {
    const beginning = await this.hub.begin(lastSeen);
    if (response.destroyed) return;
    // Who asks for the headers only would otherwise hold its connection for a stream that it never reads.
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
    await this.hub.join(client, beginning);
  }

  /** Wherever the sign-out happened: sessions end for all gateways at once. A database that is away sends nobody away. */
  private async closeEnded(): Promise<void> {
    const over = await this.auth.overAmong([...this.sessions.values()], new Date()).catch(() => new Set<Session>());
    for (const [client, session] of this.sessions) if (over.has(session)) client.close();
  }
}

/** The event history as the wire tells it. */
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
