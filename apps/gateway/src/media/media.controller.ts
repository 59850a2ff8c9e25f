import { api, type MediaQuery } from '@autoposter/contracts';
import { type ObjectStore, isObjectKey, PublicLinks } from '@autoposter/object-store';
import { Controller, Inject, Param, Req, Res, UnauthorizedException, Get, NotFoundException } from '@nestjs/common';
import type { Response, Request } from 'express';
import { AuthService } from '../auth/auth.service';
import type { SignedInRequest } from '../auth/current-session';
import { DatabaseClock } from '../bootstrap/database-clock';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { OBJECTS } from '../bootstrap/systems';
import { ApiRoute, Access } from '../http/api-route';
import { ValidId, ValidQuery } from '../http/validation.pipe';
import { MediaLinks, type MediaKind } from './media-links';
import { type ItemMediaKind, MediaService, PRIVATE } from './media.service';
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

  @ApiRoute(api.media.video)
  async video(
    @Req() request: SignedInRequest,
    @Res() response: Response,
    @ValidId() id: string,
    @ValidQuery() query: MediaQuery,
  ): Promise<void> {
    await this.send('video', request, response, id, query);
  }

  @ApiRoute(api.media.compared)
  async compared(
    @Req() request: SignedInRequest,
    @Res() response: Response,
    @ValidId() id: string,
    @ValidQuery() query: MediaQuery,
  ): Promise<void> {
    await this.authorise('compared', request, id, query);
    const found = await this.media.compared(id, query.file);
    if ('preview' in found) response.setHeader('Cache-Control', PRIVATE).type('image/png').send(found.preview);
    else await sendObject(request, response, this.objects, found);
  }

  @ApiRoute(api.media.cover)
  async cover(
    @Req() request: SignedInRequest,
    @Res() response: Response,
    @ValidId() id: string,
    @ValidQuery() query: MediaQuery,
  ): Promise<void> {
    await this.send('cover', request, response, id, query);
  }

  @ApiRoute(api.media.uploadedCover)
  async uploadedCover(
    @Req() request: SignedInRequest,
    @Res() response: Response,
    @ValidId() id: string,
    @ValidQuery() query: MediaQuery,
  ): Promise<void> {
    await this.send('uploaded-cover', request, response, id, query);
  }

  private async send(kind: ItemMediaKind, request: SignedInRequest, response: Response, id: string, query: MediaQuery): Promise<void> {
    await this.authorise(kind, request, id, query);
    await sendObject(request, response, this.objects, await this.media.find(kind, id, query.file));
  }

  private async authorise(kind: MediaKind, request: SignedInRequest, id: string, query: MediaQuery): Promise<void> {
    const allowed = request.session !== undefined || (await this.hasValidSignature(kind, id, query));
    if (!allowed) throw new UnauthorizedException('Please sign in; this URL has expired.');
  }

  private async hasValidSignature(kind: MediaKind, id: string, query: MediaQuery): Promise<boolean> {
    if (!this.links.isValid(kind, id, query, this.settings.adminEmails)) return false;
    return query.session !== undefined && !(await this.auth.isEnded(query.session));
  }
}

/** Serves media to Instagram, for object stores without a public URL. */
@Controller()
export class PublicMediaController {
  constructor(
    private readonly media: MediaService,
    private readonly links: PublicLinks,
    private readonly clock: DatabaseClock,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
  ) {}

  @Get('/media/:expires/:signature/:area/:shard/:name')
  @Access('public')
  async read(@Req() request: Request, @Res() response: Response, @Param() params: Record<string, string>): Promise<void> {
    const key = `${params['area']}/${params['shard']}/${params['name']}`;
    const opens = isObjectKey(key) && this.links.opens(key, params['expires'] ?? '', params['signature'] ?? '', this.clock.now());
    // one response for every error: it must not reveal which objects exist
    if (!opens) throw new NotFoundException('Not found.');
    await sendObject(request, response, this.objects, await this.media.served(key, 'public, max-age=3600'));
  }
}
