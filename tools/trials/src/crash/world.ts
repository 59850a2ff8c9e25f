import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { initialQueueSettings, SETTING } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { createDatabase, freePort, type PostgresServer } from '@autoposter/testkit';
import { Program } from '../product/program';
import { startSimulators, type RunningSimulators } from '../product/simulated-world';
import { CRASHED_SERVICES, type CrashedService } from './boundaries';

export const LEASE_SECONDS = 2;

/** Looks and waits that are a matter of minutes in life. */
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
 * One whole product with a database and an outside world of its own. Of each worker there is a process that stands by: while another one,
 * which is going to be killed, has the work, it is frozen; with the kill it wakes.
 */
export class CrashWorld {
  private readonly programs = new Map<CrashedService, Program>();

  private constructor(
    readonly name: string,
    readonly database: Database,
    readonly simulators: RunningSimulators,
    private readonly env: Record<string, string>,
  ) {}

  static async start(name: string, postgres: PostgresServer, folder: string): Promise<CrashWorld> {
    const dataDir = path.join(folder, name);
    const url = await createDatabase(postgres, 'schema');
    const database = await Database.connect({ url, poolSize: 3, applicationName: 'trial' });
    const simulators = await startSimulators(dataDir);
    await simulators.world.change({
      instagram: {
        imageProcessingMs: 0,
        videoProcessingMs: 0,
        publishQuota: PLENTY,
        containersPerDay: PLENTY,
        callsPerDay: PLENTY,
      },
      gemini: { requestsPerMinute: PLENTY, requestsPerDay: PLENTY, tokensPerMinute: PLENTY * 100 },
      groq: { requestsPerMinute: PLENTY, requestsPerDay: PLENTY, tokensPerMinute: PLENTY * 100, tokensPerDay: PLENTY * 100 },
    });
    await database.unitOfWork(async (uow) => {
      const queue = {
        ...initialQueueSettings('UTC'),
        running: true,
        intervalMinutes: 0,
        randomization: { enabled: false, maxDelayMinutes: 0 },
      };
      await uow.settings.set(SETTING.queue, queue, 'trial');
    });
    const port = String(await freePort());
    const { path: PATH, ffmpegPath, ffprobePath } = readProcessSettings();
    const world = new CrashWorld(name, database, simulators, {
      ...simulators.env,
      ...SHORT_WAITS,
      PATH,
      FFMPEG_PATH: ffmpegPath,
      FFPROBE_PATH: ffprobePath,
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: '4',
      DATA_DIR: dataDir,
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      // pictures are fetched by the platform; clips are uploaded to it
      CDN_BASE_URL: `http://127.0.0.1:${port}`,
      JWT_SECRET: 'a-secret-of-a-trial-that-protects-nothing',
      SCHEDULERS_START: 'true',
      AI_DAILY_LIMIT: String(PLENTY),
      LOG_LEVEL: 'info',
    });
    // the gateway first: it declares the topics
    world.programs.set('gateway', await world.launch('gateway', null));
    const workers = CRASHED_SERVICES.filter((service) => service !== 'gateway');
    await Promise.all(workers.map(async (service) => world.programs.set(service, await world.launch(service, null))));
    return world;
  }

  /** A process of the service that kills itself at `fault`, alone with the work. The one that stands by is frozen; a gateway is stopped. */
  async arm(service: CrashedService, fault: string): Promise<Program> {
    const standing = this.programs.get(service);
    if (service === 'gateway') await standing?.stop('SIGTERM');
    else if (standing) await this.freeze(service, standing);
    return this.launch(service, fault);
  }

  /** What goes on after the kill: the process that stood by, or a newly started one. Resolves when it takes work. */
  async succeed(service: CrashedService, anew: boolean): Promise<void> {
    const standing = this.programs.get(service);
    if (service !== 'gateway' && !anew) return standing?.send('SIGCONT');
    const next = await this.launch(service, null);
    await standing?.stop();
    this.programs.set(service, next);
  }

  /** Resolves when nothing of this world runs any more. */
  async stop(): Promise<void> {
    await Promise.all([...this.programs.values(), this.simulators.program].map((program) => program.stop()));
    await this.database.close();
  }

  /** Those that ought to run and do not. */
  fallen(): string[] {
    return [...this.programs]
      .filter(([, program]) => !program.isAlive)
      .map(([service, program]) => `${service}: ${program.words.slice(-1500)}`);
  }

  /** What its processes complained about since then, for a person who has to find out why an item was lost. */
  complaints(since: number): string[] {
    const isNew = (line: string): boolean => Date.parse(/"time":"([^"]+)"/u.exec(line)?.[1] ?? '') >= since;
    return [...this.programs.values()].flatMap((program) => program.complaints.filter(isNew));
  }

  private async launch(service: CrashedService, fault: string | null): Promise<Program> {
    const env = fault === null ? this.env : { ...this.env, AUTOPOSTER_FAULT: fault };
    const program = Program.start(`apps/${service}`, { env });
    await program.says(service === 'gateway' ? /the gateway listens/u : /ready for work/u);
    return program;
  }

  /** Frozen in the middle of a transaction it would hold locks for as long: then it gets a moment more. */
  private async freeze(service: CrashedService, program: Program): Promise<void> {
    for (let tries = 0; tries < 50; tries += 1) {
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
    throw new Error(`${service} was never at rest`);
  }
}
