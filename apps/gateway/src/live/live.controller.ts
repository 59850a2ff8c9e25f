import { Controller, Headers, Query, Res } from '@nestjs/common';
import { api, eventsQuerySchema, type EventsQuery } from '@autoposter/contracts';
import type { Response } from 'express';
import { CurrentSession } from '../auth/current-session';
import type { Session } from '../auth/session-tokens';
import { ApiRoute } from '../http/api-route';
import { valid } from '../http/validation.pipe';
import { LiveService } from './live.service';

@Controller()
export class LiveController {
  constructor(private readonly live: LiveService) {}

  @ApiRoute(api.live.events)
  async events(
    @Res() response: Response,
    @CurrentSession() session: Session,
    @Query(valid(eventsQuerySchema)) query: EventsQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
  ): Promise<void> {
    const lastSeen = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : (query.lastEventId ?? null);
    await this.live.open(response, session, lastSeen);
  }
}
