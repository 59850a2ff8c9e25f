import type { SimulatedProcess, World } from './virtual-time';

/** Probabilities of one schedule, each at every opportunity. */
interface FaultRates {
  kill: number;
  freeze: number;
  loseRequest: number;
  loseAnswer: number;
  cut: number;
  slow: number;
  failCommit: number;
  busRefuses: number;
  busRepeats: number;
  busLoses: number;
  rebalance: number;
}

const RATES: FaultRates = {
  kill: 0.02,
  freeze: 0.03,
  loseRequest: 0.04,
  loseAnswer: 0.04,
  cut: 0.01,
  slow: 0.1,
  failCommit: 0.15,
  busRefuses: 0.1,
  busRepeats: 0.1,
  busLoses: 0.05,
  rebalance: 0.05,
};

/** Faults of one schedule: most schedules have a few kinds and not all, so that each meets undisturbed work too. They end at `untilMs`. */
export class Faults {
  readonly rates: FaultRates;
  private readonly cutUntil = new Map<SimulatedProcess, number>();

  constructor(
    private readonly world: World,
    readonly untilMs: number,
    private readonly leaseMs: number,
    private readonly listener: { onKilled(process: SimulatedProcess): void; onFrozen(process: SimulatedProcess): void },
  ) {
    const rates = Object.entries(RATES).map(([name, rate]) => [name, world.chance(0.4) ? rate * (0.2 + 1.3 * world.random.next()) : 0]);
    this.rates = Object.fromEntries(rates) as unknown as FaultRates;
  }

  happens(kind: keyof FaultRates): boolean {
    return this.world.elapsedMs < this.untilMs && this.world.chance(this.rates[kind]);
  }

  latencyMs(): number {
    return this.happens('slow') ? this.world.between(20, 8_000) : this.world.between(0, 5);
  }

  losesRequest(): boolean {
    return this.happens('loseRequest');
  }

  losesAnswer(): boolean {
    return this.happens('loseAnswer');
  }

  /** Whether the process cannot reach the database now. */
  isCut(process: SimulatedProcess): boolean {
    const { world } = this;
    if (this.happens('cut')) this.cutUntil.set(process, world.elapsedMs + world.between(100, 2.5 * this.leaseMs));
    return (this.cutUntil.get(process) ?? 0) > world.elapsedMs;
  }

  mayKill(process: SimulatedProcess): void {
    if (process.isAlive && this.happens('kill')) this.kill(process);
  }

  kill(process: SimulatedProcess): void {
    process.kill();
    this.listener.onKilled(process);
  }

  mayFreeze(process: SimulatedProcess): void {
    if (process.isAlive && !process.isFrozen && this.happens('freeze')) this.freeze(process, 3 * this.leaseMs);
  }

  freeze(process: SimulatedProcess, longestMs: number): void {
    const { world } = this;
    process.freeze(world.between(50, longestMs), world.chance(0.3));
    this.listener.onFrozen(process);
    // the wall clock may be set meanwhile
    if (world.chance(0.2)) process.wallSkewMs += world.between(-60_000, 60_000);
  }
}
