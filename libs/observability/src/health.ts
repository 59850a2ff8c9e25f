import type { Metrics } from './metrics';

export interface HealthCheck {
  ok: boolean;
  /** A sentence for a person. */
  detail: string;
}

export type HealthChecks = Record<string, () => Promise<HealthCheck>>;

type HealthStatus = 'ready' | 'degraded' | 'not ready' | 'draining';

export interface Readiness {
  ready: boolean;
  status: HealthStatus;
  checks: Record<string, HealthCheck>;
}

interface HealthOptions {
  checks: HealthChecks;
  /** Names of the checks that readiness needs; the others only degrade. */
  needs: readonly string[];
  /** A check that takes longer counts as failed; milliseconds. */
  checkTimeoutMs?: number;
}

/** Shorter than the timeout of probes, so that a hanging dependency is reported and not mistaken for a hanging process. */
const CHECK_TIMEOUT_MS = 2_000;
const REUSE_MS = 1_000;

/** The dependencies of a process: which are missing, and whether the process can still work. */
export class Health {
  private draining = false;
  private last: { at: number; checks: Promise<Record<string, HealthCheck>> } | null = null;

  private watched: HealthChecks;

  constructor(private readonly options: HealthOptions) {
    this.watched = options.checks;
  }

  /** Adds checks, or replaces those of the same name. */
  add(checks: HealthChecks): void {
    this.watched = { ...this.watched, ...checks };
    this.last = null;
  }

  /** Reports `draining` from now on, regardless of the checks: the process is about to stop. */
  drain(): void {
    this.draining = true;
  }

  /** The result of a round of checks that is at most this old: probes request a new one, the public health route shares one. */
  async readiness(maxAgeMs = REUSE_MS): Promise<Readiness> {
    const checks = await this.checks(maxAgeMs);
    const works = this.options.needs.every((name) => checks[name]?.ok === true);
    const complete = Object.values(checks).every(({ ok }) => ok);
    const ready = works && !this.draining;
    return { ready, status: this.draining ? 'draining' : !works ? 'not ready' : complete ? 'ready' : 'degraded', checks };
  }

  /** One gauge for each dependency. */
  record(metrics: Metrics): void {
    metrics.gauge('pipeline_dependency_up', 'Whether a dependency answers: 1 or 0.', async () =>
      Object.entries(await this.checks()).map(([dependency, { ok }]) => ({ value: ok ? 1 : 0, attributes: { dependency } })),
    );
    metrics.gauge('pipeline_degraded', 'Whether the process is ready while a dependency is missing: 1 or 0.', async () =>
      (await this.readiness()).status === 'degraded' ? 1 : 0,
    );
  }

  private checks(maxAgeMs = REUSE_MS): Promise<Record<string, HealthCheck>> {
    const at = performance.now();
    if (this.last === null || at - this.last.at >= maxAgeMs) {
      this.last = { at, checks: runChecks(this.watched, this.options.checkTimeoutMs ?? CHECK_TIMEOUT_MS) };
    }
    return this.last.checks;
  }
}

/** Runs all checks concurrently; one that throws or takes longer than `timeoutMs` is not ok. */
async function runChecks(checks: HealthChecks, timeoutMs: number): Promise<Record<string, HealthCheck>> {
  const entries = Object.entries(checks).map(async ([name, check]): Promise<[string, HealthCheck]> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<HealthCheck>((resolve) => {
      timer = setTimeout(() => resolve({ ok: false, detail: `No answer within ${timeoutMs} ms.` }), timeoutMs);
    });
    try {
      return [name, await Promise.race([check(), late])];
    } catch (error) {
      return [name, { ok: false, detail: error instanceof Error ? error.message : 'The check failed.' }];
    } finally {
      clearTimeout(timer);
    }
  });
  return Object.fromEntries(await Promise.all(entries));
}
