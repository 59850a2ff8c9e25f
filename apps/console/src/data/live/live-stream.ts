import { api, type LiveFact } from '@autoposter/contracts';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { readToken, sessionEnded } from '../session/session-token';

export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'off';

interface LiveHandlers {
  onFact: (fact: LiveFact) => void;
  /** Facts may be missing: everything must be fetched again. */
  onGap: () => void;
  onState: (state: ConnectionState) => void;
}

const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;
/** Three missed heartbeats: the connection is dead. */
const IDLE_TIMEOUT_MS = 45_000;

/**
 * Server-sent events over `fetch`, because `EventSource` cannot send the session token. Reconnects with exponential backoff and
 * `Last-Event-ID`, so that the server replays missed facts. Stops when the session ends.
 */
export class LiveStream {
  private lastId: string | null = null;
  private stopped = false;
  private connectedBefore = false;
  private failures = 0;
  private controller: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly handlers: LiveHandlers,
    private readonly jitter: () => number = Math.random,
  ) {}

  start(): void {
    this.stopped = false;
    if (this.controller === null && this.timer === null) void this.connect();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.controller?.abort();
    this.controller = null;
    this.handlers.onState('off');
  }

  private async connect(): Promise<void> {
    const token = readToken();
    if (token === null) return this.stop();
    const controller = new AbortController();
    this.controller = controller;
    this.handlers.onState(this.failures === 0 ? 'connecting' : 'reconnecting');
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
      if (this.lastId !== null) headers['last-event-id'] = this.lastId;
      const response = await fetch(api.live.events.path, { headers, signal: controller.signal, cache: 'no-store' });
      if (response.status === 401) {
        sessionEnded(token);
        return this.stop();
      }
      if (!response.ok || response.body === null) throw new Error(`events answered ${response.status}`);
      await this.read(response.body, controller);
    } catch {
      // Disconnected, refused or timed out: reconnects below.
    }
    if (this.controller === controller) this.controller = null;
    if (!this.stopped) this.reconnect();
  }

  private async read(body: ReadableStream<Uint8Array>, controller: AbortController): Promise<void> {
    // Without a last event id the server cannot replay.
    if (this.lastId === null && (this.failures > 0 || this.connectedBefore)) this.handlers.onGap();
    this.connectedBefore = true;
    this.failures = 0;
    this.handlers.onState('live');
    const parser = createParser({ onEvent: (event) => this.handle(event) });
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let watchdog = setTimeout(() => controller.abort(), IDLE_TIMEOUT_MS);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(watchdog);
        watchdog = setTimeout(() => controller.abort(), IDLE_TIMEOUT_MS);
        parser.feed(decoder.decode(value, { stream: true }));
      }
    } finally {
      clearTimeout(watchdog);
    }
  }

  private handle({ id = '', event, data }: EventSourceMessage): void {
    if (id !== '') this.lastId = id;
    if (event === 'gap') return this.handlers.onGap();
    const fact = event === 'beat' ? null : parseFact(data);
    if (fact !== null) this.handlers.onFact(fact);
  }

  private reconnect(): void {
    this.failures += 1;
    this.handlers.onState('reconnecting');
    const backoffMs = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** (this.failures - 1)) * (0.75 + this.jitter() / 2);
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.connect();
    }, backoffMs);
  }
}

const parseFact = (text: string): LiveFact | null => {
  try {
    const fact = JSON.parse(text) as Partial<LiveFact> | null;
    return typeof fact?.type === 'string' ? (fact as LiveFact) : null;
  } catch {
    return null;
  }
};
