import { Controller, Headers, Res } from '@nestjs/common';
import { api, type EventsQuery } from '@autoposter/contracts';
import type { Response } from 'express';
import { CurrentSession } from '../auth/current-session';
import type { Session } from '../auth/session-tokens';
import { ApiRoute } from '../http/api-route';
import { ValidQuery } from '../http/validation.pipe';
import { LiveService } from './live.service';

/** Position of a client whose id the stream never sent. It gets a gap event, and fetches everything again. */
const UNKNOWN_POSITION = Infinity;
const positionOf = (lastEventId: string): number => (/^\d{1,15}$/u.test(lastEventId) ? Number(lastEventId) : UNKNOWN_POSITION);

@Controller()
export class LiveController {
  constructor(private readonly live: LiveService) {}

  @ApiRoute(api.live.events)
  async events(
    @Res() response: Response,
    @CurrentSession() session: Session,
    @ValidQuery() query: EventsQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
  ): Promise<void> {
    await this.live.open(response, session, lastEventId ? positionOf(lastEventId) : (query.lastEventId ?? null));
  }
}
