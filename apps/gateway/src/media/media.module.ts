import { Global, Module } from '@nestjs/common';
import { PublicLinks } from '@autoposter/object-store';
import { currentSession } from '../auth/signed-in-request';
import { ItemPresenter } from '../items/item.presenter';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { MediaController } from './media.controller';
import { MediaLinks } from './media-links';
import { MediaService } from './media.service';
import { PublicMediaController } from './public-media.controller';

@Global()
@Module({
  controllers: [MediaController, PublicMediaController],
  providers: [
    MediaService,
    {
      provide: MediaLinks,
      inject: [SETTINGS],
      useFactory: (settings: GatewaySettings) => new MediaLinks(settings.keys.link, currentSession),
    },
    { provide: PublicLinks, inject: [SETTINGS], useFactory: (settings: GatewaySettings) => new PublicLinks(settings.keys.link) },
    { provide: ItemPresenter, inject: [MediaLinks], useFactory: (links: MediaLinks) => new ItemPresenter(links) },
  ],
  exports: [ItemPresenter],
})
export class MediaModule {}
