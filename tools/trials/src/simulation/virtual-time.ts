import { AsyncLocalStorage } from 'node:async_hooks';
import os from 'node:os';
import timers from 'node:timers/promises';
import type { SeededRandom } from '../trial';

/** 2026-05-05 10:00 UTC: the database clock at the start of each schedule. */
const EPOCH_MS = Date.UTC(2026, 4, 5, 10);

interface Event {
  atMs: number;
  order: number;
  run: (() => void) | null;
}

/**
 * Discrete events on a virtual clock: the one with the earliest time runs, then everything that it resolved, then the next one. Nothing else
 * happens in between, so a schedule depends on its seed only.
 */
export class World {
  /** Milliseconds since the start. */
  elapsedMs = 0;
  /** The process whose code runs now; `null` for servers and the network. */
  current: SimulatedProcess | null = null;
  private readonly heap: Event[] = [];
  private order = 0;
  private held: Promise<unknown> | null = null;

  constructor(
    readonly random: SeededRandom,
    private readonly epochMs = EPOCH_MS,
  ) {}

  /** The database clock. */
  get nowMs(): number {
    return this.epochMs + this.elapsedMs;
  }

  chance(probability: number): boolean {
    return probability > 0 && this.random.next() < probability;
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.random.next() * (high - low + 1));
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random.next() * values.length)] as T;
  }

  /** Returns a function that cancels the event. */
  after(delayMs: number, run: () => void): () => void {
    const event: Event = { atMs: this.elapsedMs + Math.max(0, delayMs), order: (this.order += 1), run };
    push(this.heap, event);
    return () => void (event.run = null);
  }

  get isHeld(): boolean {
    return this.held !== null;
  }

  /** Runs `work` with real timers and sockets, as a call to a real server, while time stops. Only one event at a time can do so. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    // set before `work` begins: its first timer is a real one already
    let end: () => void = () => undefined;
    this.held = new Promise<void>((resolve) => (end = resolve));
    return outside.run(true, work).finally(end);
  }

  /** Runs events until `isOver`, or none is left, or the next one is after `limitMs`. */
  async run(isOver: () => boolean, limitMs: number): Promise<void> {
    activate(this);
    try {
      while (!isOver()) {
        const event = pop(this.heap);
        if (event === undefined || event.atMs > limitMs) return;
        if (event.run === null) continue;
        this.elapsedMs = event.atMs;
        event.run();
        await turnOver();
        while (this.held !== null) {
          const held = this.held;
          await held;
          if (this.held === held) this.held = null;
          await turnOver();
        }
        this.current = null;
      }
    } finally {
      activate(null);
    }
  }
}

/** A process of the product, with a clock of its own. */
export class SimulatedProcess {
  isAlive = true;
  /** Difference of its wall clock to the database clock. */
  wallSkewMs = 0;
  /** Time during which its monotonic clock, and with it its timers, stopped. */
  suspendedMs = 0;
  /** When its last freeze ended. */
  resumedAtMs = 0;
  private frozen: { until: number; suspended: boolean } | null = null;
  private held: { isTimer: boolean; run: () => void }[] = [];

  constructor(
    readonly world: World,
    readonly name: string,
  ) {}

  get isFrozen(): boolean {
    return this.frozen !== null;
  }

  get monotonicMs(): number {
    return this.world.elapsedMs - this.suspendedMs;
  }

  get wallMs(): number {
    return this.world.nowMs + this.wallSkewMs;
  }

  /** Everything that this process would do from now on never happens. */
  kill(): void {
    this.isAlive = false;
    this.held = [];
  }

  /** Stops for a time (SIGSTOP); with `suspended` its machine sleeps, and its monotonic clock with it. */
  freeze(ms: number, suspended: boolean): void {
    if (this.frozen !== null) return;
    this.frozen = { until: this.world.elapsedMs + ms, suspended };
    this.world.after(ms, () => {
      if (suspended) this.suspendedMs += ms;
      this.frozen = null;
      this.resumedAtMs = this.world.elapsedMs;
      const held = this.held.splice(0);
      // what was about to run resumes before or after the timers: both happen
      const timersFirst = this.world.chance(0.3);
      const ordered = [...held.filter(({ isTimer }) => isTimer === timersFirst), ...held.filter(({ isTimer }) => isTimer !== timersFirst)];
      for (const { isTimer, run } of ordered) this.world.after(0, () => this.enter(run, isTimer));
    });
  }

  /** Runs its code now, or after its freeze. */
  enter(run: () => void, isTimer = false): void {
    if (!this.isAlive) return;
    if (this.frozen !== null) {
      this.held.push({ isTimer, run });
      return;
    }
    const { current } = this.world;
    // what one awaits would continue as the other
    if (current !== null && current !== this) throw new Error(`${this.name} was entered in the event of ${current.name}`);
    this.world.current = this;
    run();
  }
}

/** In what `World.hold` runs, and in what that started and what may end later. */
const outside = new AsyncLocalStorage<true>();
const isReal = (): boolean => active === null || active.isHeld || outside.getStore() === true;

let active: World | null = null;
const activate = (world: World | null): void => void (active = world);

const real = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, random: Math.random, date: Date.now };
const realBytes = crypto.getRandomValues.bind(crypto);
const realPause = timers.setTimeout;
const realMonotonic = performance.now.bind(performance);
const realUptime = os.uptime;

/** All promises that are settled have run what waits for them. */
const turnOver = (): Promise<void> => new Promise((resolve) => void real.setImmediate(resolve));

class VirtualTimer {
  private cancel: () => void;
  private isCleared = false;
  private suspendedMs: number;

  constructor(
    private readonly world: World,
    private readonly process: SimulatedProcess | null,
    private readonly run: () => void,
    private readonly options: { delayMs: number; repeats: boolean },
  ) {
    this.suspendedMs = process?.suspendedMs ?? 0;
    this.cancel = world.after(options.delayMs, () => this.fire());
  }

  clear(): void {
    this.isCleared = true;
    this.cancel();
  }

  private fire(): void {
    const { process } = this;
    if (process === null) this.run();
    else process.enter(() => this.fireIn(process), true);
  }

  private fireIn(process: SimulatedProcess): void {
    const { delayMs, repeats } = this.options;
    // it may have been cleared while it was held
    if (this.isCleared) return;
    const lateMs = process.suspendedMs - this.suspendedMs;
    this.suspendedMs = process.suspendedMs;
    if (repeats || lateMs > 0) this.cancel = this.world.after(lateMs > 0 ? lateMs : Math.max(1, delayMs), () => this.fire());
    if (lateMs === 0) this.run();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/**
 * Replaces timers, clocks and random numbers of this program. During `World.run` they are those of the process whose code runs, else the real
 * ones. Returns a function that restores them.
 */
export function replaceGlobals(): () => void {
  const start =
    (repeats: boolean, otherwise: (...args: never[]) => unknown) =>
    (run: () => void, delayMs?: number, ...rest: unknown[]) =>
      isReal() || active === null
        ? otherwise(...([run, delayMs, ...rest] as never[]))
        : new VirtualTimer(active, active.current, () => (run as (...args: unknown[]) => void)(...rest), {
            delayMs: delayMs ?? 0,
            repeats,
          });
  const clear = (otherwise: (timer: never) => void) => (timer: unknown) =>
    timer instanceof VirtualTimer ? timer.clear() : otherwise(timer as never);
  const startImmediate = (run: (...args: unknown[]) => void, ...rest: unknown[]) =>
    isReal() ? real.setImmediate(run, ...rest) : start(false, real.setTimeout)(() => run(...rest), 0);
  Object.assign(globalThis, {
    setTimeout: start(false, real.setTimeout),
    setInterval: start(true, real.setInterval),
    setImmediate: startImmediate,
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
  });
  Math.random = () => active?.random.next() ?? real.random();
  crypto.getRandomValues = (bytes) => (active === null ? realBytes(bytes) : fillFrom(active.random, bytes));
  Date.now = () => active?.current?.wallMs ?? active?.nowMs ?? real.date();
  performance.now = () => active?.current?.monotonicMs ?? active?.elapsedMs ?? realMonotonic();
  os.uptime = () => (active === null ? realUptime() : active.elapsedMs / 1000);
  timers.setTimeout = ((ms: number, value: unknown, options?: object) =>
    isReal()
      ? realPause(ms, value, options)
      : new Promise<unknown>((resolve) => void setTimeout(() => resolve(value), ms))) as typeof realPause;
  return () => {
    const { random, date, ...globals } = real;
    Object.assign(globalThis, globals);
    Math.random = random;
    crypto.getRandomValues = realBytes;
    Date.now = date;
    performance.now = realMonotonic;
    os.uptime = realUptime;
    timers.setTimeout = realPause;
  };
}

function fillFrom<T>(random: SeededRandom, values: T): T {
  const { buffer, byteOffset, byteLength } = values as ArrayBufferView;
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(random.next() * 256);
  return values;
}

const isBefore = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

function push(heap: Event[], event: Event): void {
  let index = heap.push(event) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!isBefore(event, heap[parent] as Event)) break;
    heap[index] = heap[parent] as Event;
    index = parent;
  }
  heap[index] = event;
}

function pop(heap: Event[]): Event | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child += 1;
    if (!isBefore(heap[child] as Event, last)) break;
    heap[index] = heap[child] as Event;
    index = child;
  }
  heap[index] = last;
  return first;
}
