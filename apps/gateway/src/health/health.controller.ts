import { Controller, Get, HttpCode, Inject, Res } from '@nestjs/common';
import { api, type Health } from '@autoposter/contracts';
import type { Response } from 'express';
import { Access, Serves } from '../http/serves';
import { METRICS, type MetricsText } from '../wiring/systems';
import { HealthService } from './health.service';

@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    @Inject(METRICS) private readonly metrics: MetricsText,
  ) {}

  @Serves(api.health.health)
  async read(): Promise<{ success: true; data: Health }> {
    return { success: true, data: await this.health.summary() };
  }

  @Get('/healthz')
  @HttpCode(200)
  @Access('public')
  alive(): object {
    return { status: 'ok' };
  }

  @Get('/readyz')
  @Access('public')
  async ready(@Res() response: Response): Promise<void> {
    const { ready, status, checks } = await this.health.readiness();
    response
      .setHeader('Cache-Control', 'no-store')
      .status(ready ? 200 : 503)
      .json({ status, checks });
  }

  @Get('/metrics')
  @Access('public')
  async numbers(@Res() response: Response): Promise<void> {
    response.type('text/plain; version=0.0.4; charset=utf-8').send(await this.metrics.text());
  }
}
