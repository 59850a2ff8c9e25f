import { Global, Module } from '@nestjs/common';
import { StoredSettings } from './stored-settings';

@Global()
@Module({ providers: [StoredSettings], exports: [StoredSettings] })
export class StoredSettingsModule {}
