import type { Stage } from '@autoposter/contracts';
import { fireDue, GroupCommit, messageJobBus, postgresJobBus, requestStage, StageRunner, sweepLost } from '@autoposter/job-engine';
import { silentLogger } from '@autoposter/observability';
import type { UnitOfWork } from '@autoposter/persistence';
import { SeededRandom } from '../trial';
import { isOutage, type PlantedBug, ServerModel } from './database-model';
import { Faults } from './faults';
import { Ledger } from './ledger';
import { requestTopic, SimulatedBroker } from './simulated-bus';
import { SimulatedDatabase } from './simulated-database';
import { SIMULATED_STAGES, simulatedStage } from './stages';
import { SimulatedProcess, World } from './virtual-time';

export interface ScheduleReport {
  seed: number;
  violations: string[];
  jobs: number;
  kills: number;
  freezes: number;
  takeovers: number;
  calls: number;
  virtualSeconds: number;
}

interface Role {
  name: string;
  stages: readonly (typeof SIMULATED_STAGES)[number][];
}

const SCHEDULER: Role = { name: 'scheduler', stages: [] };
/** Much longer than every pause of the engine together: what is open then is lost. */
const LIMIT_MS = 2 * 3_600_000;
const POLL_MS = 5_000;

/** One schedule: some workers and a scheduler, some items, and the faults that the seed selects. */
export class Schedule {
  private readonly world: World;
  private readonly faults: Faults;
  private readonly ledger: Ledger;
  private readonly server: ServerModel;
  private readonly broker: SimulatedBroker | null;
  private readonly databases = new Map<SimulatedDatabase, SimulatedProcess>();
  private readonly leaseSeconds: number;
  private readonly longShare: number;
  private readonly poisoned = new Set<string>();
  private readonly roles: Role[];
  private readonly counts = { kills: 0, freezes: 0, started: 0 };
  private readonly roleOf = new Map<SimulatedProcess, Role>();
  private readonly runnersOf = new Map<SimulatedProcess, StageRunner[]>();
  /** The connection of people, without faults. */
  private readonly calm: SimulatedDatabase;
  private readonly person: SimulatedProcess;
  private checkAtMs = 0;

  constructor(
    private readonly seed: number,
    bug: PlantedBug | null = null,
  ) {
    const world = new World(new SeededRandom(seed));
    this.world = world;
    this.leaseSeconds = world.pick([6, 15, 30]);
    this.longShare = world.pick([0.1, 0.1, 0.7]);
    this.faults = new Faults(world, world.between(30_000, 150_000), this.leaseSeconds * 1000, {
      onKilled: (process) => this.restart(process),
      onFrozen: (process) => this.onFrozen(process),
    });
    const onMessages = world.chance(0.5);
    this.ledger = new Ledger(onMessages ? () => this.messages() : null);
    this.server = new ServerModel({
      after: (ms, run) => world.after(ms, run),
      nowMs: () => world.nowMs,
      bug,
      onCommit: (tx) => this.ledger.onCommit(tx),
      onCommitted: () => this.ledger.checkLag(),
    });
    this.ledger.watch(this.server);
    this.broker = onMessages
      ? new SimulatedBroker(world, this.faults, {
          onLost: (message) => this.ledger.lostMessage(message),
          onSettled: () => this.ledger.checkLag(),
          settlesOnDelivery: bug === 'a message is settled on delivery',
        })
      : null;
    const nothing = { onKilled: () => undefined, onFrozen: () => undefined };
    this.person = new SimulatedProcess(world, 'person');
    const publishing = { requests: onMessages, facts: false };
    this.calm = new SimulatedDatabase(this.server, this.person, new Faults(world, 0, 0, nothing), publishing, (stages, from) =>
      this.notify(stages, from),
    );
    this.roles = [
      SCHEDULER,
      { name: 'worker 1', stages: SIMULATED_STAGES },
      ...Array.from({ length: world.between(1, 2) }, (_, index) => ({
        name: `worker ${index + 2}`,
        stages: world.pick([SIMULATED_STAGES, ['download'], ['post']] as const),
      })),
    ];
  }

  async run(): Promise<ScheduleReport> {
    const { world, faults } = this;
    for (const role of this.roles) world.after(0, () => this.start(role));
    this.plan();
    await world.run(() => this.isOver(), LIMIT_MS);
    this.ledger.checkEnd(this.broker?.lag() ?? 0, faults.rates.failCommit > 0 || this.poisoned.size > 0);
    const jobs = this.server.jobs.committed();
    return {
      seed: this.seed,
      violations: this.ledger.violations,
      jobs: jobs.length,
      kills: this.counts.kills,
      freezes: this.counts.freezes,
      takeovers: this.ledger.takeovers,
      calls: this.ledger.callCount,
      virtualSeconds: Math.round(world.elapsedMs / 1000),
    };
  }

  /** Items, and what people and deployments do meanwhile. */
  private plan(): void {
    const { world, faults } = this;
    const items = world.between(1, 6);
    for (let n = 1; n <= items; n += 1) {
      const subjectId = `item ${n}`;
      if (world.chance(0.08)) this.poisoned.add(subjectId);
      world.after(world.chance(0.5) ? 0 : world.between(0, 20_000), () => this.requestItem(subjectId, world.chance(0.2)));
      if (world.chance(0.1)) world.after(world.between(0, faults.untilMs), () => this.directly((uow) => uow.jobs.cancelOpen(subjectId)));
    }
    if (world.chance(0.3)) world.after(world.between(5_000, faults.untilMs), () => this.replayDead());
    if (world.chance(0.3)) world.after(world.between(0, faults.untilMs), () => this.deploy());
  }

  private directly(work: (uow: UnitOfWork) => Promise<unknown>): void {
    this.person.enter(
      () =>
        void this.calm.unitOfWork(work).catch((error: unknown) => {
          if (!isOutage(error)) this.ledger.violated(`a person was refused: ${String(error)}`);
          this.world.after(1_000, () => this.directly(work));
        }),
    );
  }

  private requestItem(subjectId: string, forPerson: boolean): void {
    this.directly(async (uow) => {
      const request = {
        stage: 'download',
        subjectId,
        itemId: subjectId,
        key: subjectId,
        maxAttempts: 3,
        forPerson,
        actor: 'system',
      } as const;
      await requestStage(uow, request);
    });
  }

  private replayDead(): void {
    this.directly(async (uow) => {
      for (const dead of this.server.jobs.committed().filter(({ state }) => state === 'dead')) {
        const job = await uow.jobs.replay(dead.id);
        if (job !== null) uow.outbox.request([job]);
      }
    });
  }

  /** A worker leaves in order, and another one takes its place. */
  private deploy(): void {
    const process = this.world.pick([...this.roleOf.keys()].filter((one) => one.isAlive && one.name.startsWith('worker')));
    if (process === undefined) return;
    process.enter(() => {
      const leaving = (this.runnersOf.get(process) ?? []).map((runner) => runner.drain(this.world.between(0, 20_000)));
      void Promise.all(leaving).then(() => {
        if (!process.isAlive) return;
        process.kill();
        this.restart(process);
      });
    });
  }

  private start(role: Role): void {
    const { world, broker, faults, ledger, poisoned, longShare, leaseSeconds } = this;
    const process = new SimulatedProcess(world, `${role.name}.${(this.counts.started += 1)}`);
    process.wallSkewMs = world.between(-5_000, 5_000);
    this.roleOf.set(process, role);
    const publishing = { requests: broker !== null, facts: false };
    const simulated = new SimulatedDatabase(this.server, process, faults, publishing, (stages, from) => this.notify(stages, from));
    this.databases.set(simulated, process);
    const { database } = simulated;
    process.enter(() => {
      const bus =
        broker === null ? postgresJobBus(database) : messageJobBus(broker.connect(process), database, silentLogger, { sweepMs: POLL_MS });
      bus.start();
      const settings = {
        database,
        bus,
        owner: process.name,
        leaseSeconds,
        retrySeconds: 1,
        workRoot: '/nonexistent',
        logger: silentLogger,
        pollMs: POLL_MS,
        commits: new GroupCommit(database),
      };
      const runners = role.stages.map(
        (name) =>
          new StageRunner({ stage: simulatedStage(name, { world, faults, ledger, process, poisoned, longShare }), tools: {} }, settings),
      );
      this.runnersOf.set(process, runners);
      for (const runner of runners) runner.start().catch((error: unknown) => ledger.violated(`a runner did not start: ${String(error)}`));
      if (role === SCHEDULER) setInterval(() => void this.schedule(simulated), POLL_MS);
    });
  }

  /** The scheduler's tasks; an outage of one turn ends with the next. */
  private async schedule(database: SimulatedDatabase): Promise<void> {
    await database.unitOfWork((uow) => fireDue(uow)).catch(() => undefined);
    await database.unitOfWork((uow) => sweepLost(uow)).catch(() => undefined);
  }

  private restart(process: SimulatedProcess): void {
    const role = this.roleOf.get(process);
    this.counts.kills += 1;
    this.broker?.suspect(process);
    this.roleOf.delete(process);
    if (role !== undefined) this.world.after(this.world.between(100, 20_000), () => this.start(role));
  }

  private onFrozen(process: SimulatedProcess): void {
    this.counts.freezes += 1;
    this.broker?.suspect(process);
  }

  /** Notifications between processes; any may be missing. */
  private notify(stages: ReadonlySet<Stage>, from: SimulatedDatabase): void {
    for (const [database, process] of this.databases)
      if (database !== from && process.isAlive && !this.faults.losesAnswer())
        this.world.after(this.faults.latencyMs(), () => process.enter(() => database.wake(stages)));
  }

  private messages(): { jobId: string; requestNumber: number }[] {
    return SIMULATED_STAGES.flatMap((stage) => this.broker?.pending(requestTopic(stage)) ?? []);
  }

  private isOver(): boolean {
    const { world, faults, server, broker } = this;
    if (this.ledger.violations.length > 0) return true;
    if (world.elapsedMs < faults.untilMs || world.elapsedMs < this.checkAtMs) return false;
    this.checkAtMs = world.elapsedMs + 1_000;
    const isOpen = server.jobs.committed().some(({ state }) => !['done', 'dead', 'cancelled'].includes(state));
    return !isOpen && server.outbox.committed().length === 0 && (broker?.lag() ?? 0) === 0;
  }
}
