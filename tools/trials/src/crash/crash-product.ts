import path from 'node:path';
import { type Service, SERVICES } from '@autoposter/config';
import type { Database } from '@autoposter/persistence';
import { freePort, type PostgresServer } from '@autoposter/testkit';
import { launchService, PLENTY, SHORT_WAITS, startSystems } from '../product/fast-product';
import { productEnvironment, type Program, type RunningSimulators } from '../product/program';

/** Time after which the platform's silence means that a post does not exist. */
const RECONCILE_ABSENT_SECONDS = '3';

/**
 * A complete product with its own database and simulators. Every worker has a standby process: it is suspended (SIGSTOP) while the process
 * that will be killed does the work, and resumed after the kill.
 */
export class CrashProduct {
  private readonly programs = new Map<Service, Program>();

  private constructor(
    readonly name: string,
    readonly database: Database,
    readonly simulators: RunningSimulators,
    private readonly env: Record<string, string>,
  ) {}

  static async start(name: string, postgres: PostgresServer, folder: string): Promise<CrashProduct> {
    const dataDir = path.join(folder, name);
    const { url, database, simulators } = await startSystems(postgres, dataDir);
    const tokens = PLENTY * 100;
    const plenty = { requestsPerMinute: PLENTY, requestsPerDay: PLENTY, tokensPerMinute: tokens };
    await simulators.control.changeSettings({ gemini: plenty, groq: { ...plenty, tokensPerDay: tokens } });
    const env = productEnvironment(simulators, url, dataDir, await freePort());
    const product = new CrashProduct(name, database, simulators, {
      ...env,
      ...SHORT_WAITS,
      RECONCILE_ABSENT_SECONDS,
      DATABASE_POOL_SIZE: '4',
      // The platform fetches pictures from this URL; videos are uploaded.
      CDN_BASE_URL: env.PUBLIC_URL,
      SCHEDULERS_START: 'true',
      AI_DAILY_LIMIT: String(PLENTY),
      LOG_LEVEL: 'info',
    });
    // The gateway declares the topics, so it starts first.
    product.programs.set('gateway', await product.launch('gateway', null));
    const workers = SERVICES.filter((service) => service !== 'gateway');
    await Promise.all(workers.map(async (service) => product.programs.set(service, await product.launch(service, null))));
    return product;
  }

  /** Starts a process of the service that kills itself at `fault`, and suspends the standby process. A gateway is stopped instead. */
  async arm(service: Service, fault: string): Promise<Program> {
    const standby = this.programs.get(service);
    if (service === 'gateway') await standby?.stop('SIGTERM');
    else if (standby) await this.suspend(service, standby);
    return this.launch(service, fault);
  }

  /** Replaces a killed process by the standby process or a new one; resolves when it claims jobs. */
  async replace(service: Service, restart: boolean): Promise<void> {
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

  private launch(service: Service, fault: string | null): Promise<Program> {
    return launchService(service, this.env, fault);
  }

  /** Suspends the process outside of transactions, because a suspended transaction would keep its locks. */
  private async suspend(service: Service, program: Program): Promise<void> {
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
