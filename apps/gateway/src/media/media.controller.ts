import { Controller, Inject, Param, Query, Req, Res, UnauthorizedException } from '@nestjs/common';
import { api, mediaQuerySchema, type MediaQuery } from '@autoposter/contracts';
import type { ObjectStore } from '@autoposter/object-store';
import type { Response } from 'express';
import { AuthService } from '../auth/auth.service';
import type { SignedInRequest } from '../auth/signed-in-request';
import { Serves } from '../http/serves';
import { idParam, valid } from '../http/zod.pipe';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { OBJECTS } from '../wiring/systems';
import { MediaLinks, type MediaKind } from './media-links';
import { MediaService } from './media.service';
import { sendObject } from './send-object';

@Controller()
export class MediaController {
  constructor(
    private readonly media: MediaService,
    private readonly links: MediaLinks,
    private readonly auth: AuthService,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  @Serves(api.media.video)
  async video(
    @Req() request: SignedInRequest,
    @Res() response: Response,
    @Param('id', idParam) id: string,
    @Query(valid(mediaQuerySchema)) query: MediaQuery,
  ): Promise<void> {
    await this.send('video', request, response, id, query);
  }

  @Serves(api.media.cover)
  async cover(
    @Req() request: SignedInRequest,
    @Res() response: Response,
    @Param('id', idParam) id: string,
    @Query(valid(mediaQuerySchema)) query: MediaQuery,
  ): Promise<void> {
    await this.send('cover', request, response, id, query);
  }

  private async send(kind: MediaKind, request: SignedInRequest, response: Response, id: string, query: MediaQuery): Promise<void> {
    const open = request.session !== undefined || (await this.opens(kind, id, query));
    if (!open) throw new UnauthorizedException('Please sign in; this address has expired.');
    await sendObject(request, response, this.objects, await this.media.find(kind, id, query.file));
  }

  private async opens(kind: MediaKind, id: string, query: MediaQuery): Promise<boolean> {
    if (!this.links.opens(kind, id, query, this.settings.adminEmails, new Date())) return false;
    return query.session !== undefined && !(await this.auth.isEnded(query.session));
  }
}
