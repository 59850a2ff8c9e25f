import { Controller, Get, Inject, NotFoundException, Param, Req, Res } from '@nestjs/common';
import { isObjectKey, PublicLinks, type ObjectStore } from '@autoposter/object-store';
import type { Request, Response } from 'express';
import { Access } from '../http/serves';
import { OBJECTS } from '../wiring/systems';
import { MediaService } from './media.service';
import { sendObject } from './send-object';

/** Where Instagram's servers fetch what is to be published, while it lies in a store without a public address. */
@Controller()
export class PublicMediaController {
  constructor(
    private readonly media: MediaService,
    private readonly links: PublicLinks,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
  ) {}

  @Get('/media/:expires/:signature/:area/:shard/:name')
  @Access('public')
  async read(@Req() request: Request, @Res() response: Response, @Param() params: Record<string, string>): Promise<void> {
    const key = `${params['area']}/${params['shard']}/${params['name']}`;
    const opens = isObjectKey(key) && this.links.opens(key, params['expires'] ?? '', params['signature'] ?? '', new Date());
    // One answer for everything that is wrong: a stranger learns nothing about what is stored.
    if (!opens) throw new NotFoundException('There is nothing here.');
    await sendObject(request, response, this.objects, await this.media.served(key, 'public, max-age=3600'));
  }
}
