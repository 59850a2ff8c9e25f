import { api, type LiveFact } from '@autoposter/contracts';
import { readToken, sessionEnded } from '../session/session-token';

export type LinkState = 'connecting' | 'live' | 'reconnecting' | 'off';

export interface LiveHandlers {
  onFact: (fact: LiveFact) => void;
  /** Something may have been missed: everything has to be read anew. */
  onGap: () => void;
  onState: (state: LinkState) => void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Three heartbeats without a sign of life: the line is dead though nobody said so. */
const SILENCE_MS = 45_000;

/**
 * Reads the live stream with the session token, which `EventSource` could not send. Comes back by itself with growing pauses and the id
 * of the last fact, so that what was missed is replayed; stops for good when the session is over.
 */
export class LiveStream {
  private lastId: string | null = null;
  private stopped = false;
  private wasLive = false;
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
      // Cut, refused or silent: the next try follows below.
    }
    if (this.controller === controller) this.controller = null;
    if (!this.stopped) this.again();
  }

  private async read(body: ReadableStream<Uint8Array>, controller: AbortController): Promise<void> {
    // Without a last fact there is nothing to go on from.
    if (this.lastId === null && (this.failures > 0 || this.wasLive)) this.handlers.onGap();
    this.wasLive = true;
    this.failures = 0;
    this.handlers.onState('live');
    const parse = createSseParser((event) => this.take(event));
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let watchdog = setTimeout(() => controller.abort(), SILENCE_MS);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(watchdog);
        watchdog = setTimeout(() => controller.abort(), SILENCE_MS);
        parse(decoder.decode(value, { stream: true }));
      }
    } finally {
      clearTimeout(watchdog);
    }
  }

  private take(event: ServerEvent): void {
    if (event.id !== null && event.id !== '') this.lastId = event.id;
    if (event.event === 'gap') return this.handlers.onGap();
    if (event.event === 'beat' || event.data === '') return;
    const fact = parseFact(event.data);
    if (fact !== null) this.handlers.onFact(fact);
  }

  private again(): void {
    this.failures += 1;
    this.handlers.onState('reconnecting');
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.failures - 1)) * (0.75 + this.jitter() / 2);
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.connect();
    }, pause);
  }
}

/** A fact needs a kind to be of use; what is no fact is left out. */
const parseFact = (text: string): LiveFact | null => {
  try {
    const fact = JSON.parse(text) as Partial<LiveFact> | null;
    return typeof fact?.type === 'string' ? (fact as LiveFact) : null;
  } catch {
    return null;
  }
};

/** One server-sent event. */
export interface ServerEvent {
  id: string | null;
  event: string;
  data: string;
}

/** Cuts a stream of text into server-sent events; holds back what is not complete yet. */
export function createSseParser(onEvent: (event: ServerEvent) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    rest += chunk.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = readBlock(block);
      if (event !== null) onEvent(event);
    }
  };
}

function readBlock(block: string): ServerEvent | null {
  const found: ServerEvent = { id: null, event: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith(':')) continue;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /u, '');
    if (field === 'id') found.id = value;
    else if (field === 'event') found.event = value;
    else if (field === 'data') data.push(value);
  }
  if (data.length === 0 && found.id === null && found.event === 'message') return null;
  found.data = data.join('\n');
  return found;
}
