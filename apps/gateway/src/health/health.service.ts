import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Health } from '@autoposter/contracts';
import { runChecks, type HealthCheck, type HealthChecks } from '@autoposter/observability';
import { CHECKS } from '../wiring/systems';

const CHECK_TIMEOUT_MS = 3_000;

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private draining = false;

  constructor(@Inject(CHECKS) private readonly checks: HealthChecks) {}

  beforeApplicationShutdown(): void {
    this.draining = true;
  }

  /** For the public page: no more than its callers need. */
  async summary(): Promise<Health> {
    const checks = await runChecks(this.checks, CHECK_TIMEOUT_MS);
    const database = checks['database']?.ok === true;
    const all = Object.values(checks).every((check) => check.ok);
    const status = !database ? 'unhealthy' : all ? 'healthy' : 'degraded';
    return { status, database: database ? 'connected' : 'disconnected', uptime: Math.floor(process.uptime()) };
  }

  async readiness(): Promise<{ ready: boolean; status: string; checks: Record<string, HealthCheck> }> {
    const checks = await runChecks(this.checks, CHECK_TIMEOUT_MS);
    const ready = !this.draining && Object.values(checks).every((check) => check.ok);
    return { ready, status: this.draining ? 'draining' : ready ? 'ready' : 'not ready', checks };
  }
}
