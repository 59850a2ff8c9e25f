import { Module } from '@nestjs/common';
import { ClearAllController } from './clear-all.controller';
import { ClearAllService } from './clear-all.service';

@Module({ controllers: [ClearAllController], providers: [ClearAllService] })
export class ClearAllModule {}
