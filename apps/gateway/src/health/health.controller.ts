import { Controller, Get, HttpCode } from '@nestjs/common';
import { api, type Health } from '@autoposter/contracts';
import { Access, ApiRoute } from '../http/api-route';
import { HealthService } from './health.service';

/** Public health. Readiness details and metrics are on the management port. */
@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @ApiRoute(api.health.health)
  async read(): Promise<{ success: true; data: Health }> {
    return { success: true, data: await this.health.summary() };
  }

  @Get('/healthz')
  @HttpCode(200)
  @Access('public')
  alive(): object {
    return { status: 'ok' };
  }
}
