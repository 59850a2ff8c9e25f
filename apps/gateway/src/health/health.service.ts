import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Health as PublicHealth } from '@autoposter/contracts';
import { Health } from '@autoposter/observability';

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  constructor(private readonly health: Health) {}

  beforeApplicationShutdown(): void {
    this.health.drain();
  }

  async summary(): Promise<PublicHealth> {
    const { checks } = await this.health.readiness();
    const database = checks['database']?.ok === true;
    const all = Object.values(checks).every((check) => check.ok);
    const status = !database ? 'unhealthy' : all ? 'healthy' : 'degraded';
    return { status, database: database ? 'connected' : 'disconnected', uptime: Math.floor(process.uptime()) };
  }
}
