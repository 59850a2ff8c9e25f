import path from 'node:path';
import { initialQueueSettings, SETTING } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { createDatabase, freePort, type PostgresServer } from '@autoposter/testkit';
import { productEnvironment, Program, type RunningSimulators, startSimulators } from '../product/program';
import { CRASHED_SERVICES, type CrashedService } from './boundaries';

export const LEASE_SECONDS = 2;

/** Intervals and waits that take minutes in production. */
const SHORT_WAITS = {
  STAGE_LEASE_SECONDS: String(LEASE_SECONDS),
  STAGE_RETRY_SECONDS: '1',
  CONTAINER_POLL_SECONDS: '1',
  CLOCK_SECONDS: '1',
  DRAIN_SECONDS: '2',
  RECONCILE_LOOKS_SECONDS: '1,2,3,4,5,6,8,10,15,20,30,40,60',
  RECONCILE_ABSENT_SECONDS: '3',
};
const PLENTY = 1_000_000;

/**
 * A complete product with its own database and simulators. Every worker has a standby process: it is suspended (SIGSTOP) while the process
 * that will be killed does the work, and resumed after the kill.
 */
export class CrashProduct {
  private readonly programs = new Map<CrashedService, Program>();

  private constructor(
    readonly name: string,
    readonly database: Database,
    readonly simulators: RunningSimulators,
    private readonly env: Record<string, string>,
  ) {}

  static async start(name: string, postgres: PostgresServer, folder: string): Promise<CrashProduct> {
    const dataDir = path.join(folder, name);
    const url = await createDatabase(postgres, 'schema');
    const database = await Database.connect({ url, poolSize: 3, applicationName: 'trial' });
    const simulators = await startSimulators(dataDir);
    const tokens = PLENTY * 100;
    const plenty = { requestsPerMinute: PLENTY, requestsPerDay: PLENTY, tokensPerMinute: tokens };
    await simulators.control.changeSettings({
      instagram: { imageProcessingMs: 0, videoProcessingMs: 0, publishQuota: PLENTY, containersPerDay: PLENTY, callsPerDay: PLENTY },
      gemini: plenty,
      groq: { ...plenty, tokensPerDay: tokens },
    });
    await database.unitOfWork(async (uow) => {
      const randomization = { enabled: false, maxDelayMinutes: 0 };
      const queue = { ...initialQueueSettings('UTC'), running: true, intervalMinutes: 0, randomization };
      await uow.settings.set(SETTING.queue, queue, 'trial');
    });
    const env = productEnvironment(simulators, url, dataDir, await freePort());
    const product = new CrashProduct(name, database, simulators, {
      ...env,
      ...SHORT_WAITS,
      DATABASE_POOL_SIZE: '4',
      // The platform fetches pictures from this URL; videos are uploaded.
      CDN_BASE_URL: env.PUBLIC_URL,
      SCHEDULERS_START: 'true',
      AI_DAILY_LIMIT: String(PLENTY),
      LOG_LEVEL: 'info',
    });
    // The gateway declares the topics, so it starts first.
    product.programs.set('gateway', await product.launch('gateway', null));
    const workers = CRASHED_SERVICES.filter((service) => service !== 'gateway');
    await Promise.all(workers.map(async (service) => product.programs.set(service, await product.launch(service, null))));
    return product;
  }

  /** Starts a process of the service that kills itself at `fault`, and suspends the standby process. A gateway is stopped instead. */
  async arm(service: CrashedService, fault: string): Promise<Program> {
    const standby = this.programs.get(service);
    if (service === 'gateway') await standby?.stop('SIGTERM');
    else if (standby) await this.suspend(service, standby);
    return this.launch(service, fault);
  }

  /** Replaces a killed process by the standby process or a new one; resolves when it claims jobs. */
  async replace(service: CrashedService, restart: boolean): Promise<void> {
    const standby = this.programs.get(service);
    if (service !== 'gateway' && !restart) return standby?.send('SIGCONT');
    const next = await this.launch(service, null);
    await standby?.stop();
    this.programs.set(service, next);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.programs.values(), this.simulators.program].map((program) => program.stop()));
    await this.database.close();
  }

  /** Programs that exited although they should run. */
  exitedPrograms(): string[] {
    return [...this.programs]
      .filter(([, program]) => !program.isAlive)
      .map(([service, program]) => `${service}: ${program.output.slice(-1500)}`);
  }

  /** Warnings and errors of its processes since that time. */
  warnings(since: number): string[] {
    const isNew = (line: string): boolean => Date.parse(/"time":"([^"]+)"/u.exec(line)?.[1] ?? '') >= since;
    return [...this.programs.values()].flatMap((program) => program.warnings.filter(isNew));
  }

  private async launch(service: CrashedService, fault: string | null): Promise<Program> {
    const env = fault === null ? this.env : { ...this.env, AUTOPOSTER_FAULT: fault };
    const program = Program.start(`apps/${service}`, { env });
    await program.waitForOutput(service === 'gateway' ? /the gateway listens/u : /ready for work/u);
    return program;
  }

  /** Suspends the process outside of transactions, because a suspended transaction would keep its locks. */
  private async suspend(service: CrashedService, program: Program): Promise<void> {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      program.send('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 60));
      const busy = await this.database.sql.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database() AND state <> 'idle'`,
        [`autoposter ${service}`],
      );
      if (busy.length === 0) return;
      program.send('SIGCONT');
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    throw new Error(`${service} was never outside of a transaction`);
  }
}
