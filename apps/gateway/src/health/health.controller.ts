import { Controller, Get, HttpCode, Inject, NotFoundException, Req, Res } from '@nestjs/common';
import { api, type Health } from '@autoposter/contracts';
import type { Request, Response } from 'express';
import { isForwarded } from '../http/loopback';
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

  /** What stands behind this process is told to who asks it directly, as probes do, and not to everybody in front of a proxy. */
  @Get('/readyz')
  @Access('public')
  async ready(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { ready, status, checks } = await this.health.readiness();
    response
      .setHeader('Cache-Control', 'no-store')
      .status(ready ? 200 : 503)
      .json(isForwarded(request) ? { status } : { status, checks });
  }

  @Get('/metrics')
  @Access('public')
  async numbers(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (isForwarded(request)) throw new NotFoundException('There is nothing here.');
    response.type('text/plain; version=0.0.4; charset=utf-8').send(await this.metrics.text());
  }
}
