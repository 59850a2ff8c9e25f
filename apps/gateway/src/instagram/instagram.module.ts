import { Global, Module } from '@nestjs/common';
import { InstagramController } from './instagram.controller';
import { InstagramService } from './instagram.service';
import { MediaReach } from './media-reach';

@Global()
@Module({ controllers: [InstagramController], providers: [InstagramService, MediaReach], exports: [MediaReach] })
export class InstagramModule {}
