import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Health } from '@autoposter/contracts';
import { runChecks, type HealthCheck, type HealthChecks } from '@autoposter/observability';
import { CHECKS } from '../wiring/systems';

const CHECK_TIMEOUT_MS = 3_000;
/** Whoever asks within this time after a look is told what it saw: everybody may ask, and each look asks every system. */
const LOOK_HOLDS_MS = 1_000;

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private draining = false;
  private look: { at: number; checks: Promise<Record<string, HealthCheck>> } | null = null;

  constructor(@Inject(CHECKS) private readonly checks: HealthChecks) {}

  beforeApplicationShutdown(): void {
    this.draining = true;
  }

  /** For the public page: no more than its callers need. */
  async summary(): Promise<Health> {
    const checks = await this.seen();
    const database = checks['database']?.ok === true;
    const all = Object.values(checks).every((check) => check.ok);
    const status = !database ? 'unhealthy' : all ? 'healthy' : 'degraded';
    return { status, database: database ? 'connected' : 'disconnected', uptime: Math.floor(process.uptime()) };
  }

  async readiness(): Promise<{ ready: boolean; status: string; checks: Record<string, HealthCheck> }> {
    const checks = await this.seen();
    const ready = !this.draining && Object.values(checks).every((check) => check.ok);
    return { ready, status: this.draining ? 'draining' : ready ? 'ready' : 'not ready', checks };
  }

  private seen(): Promise<Record<string, HealthCheck>> {
    const at = performance.now();
    if (this.look === null || at - this.look.at >= LOOK_HOLDS_MS) this.look = { at, checks: runChecks(this.checks, CHECK_TIMEOUT_MS) };
    return this.look.checks;
  }
}
