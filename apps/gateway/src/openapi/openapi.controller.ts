import { Controller, Get, HttpCode, Inject } from '@nestjs/common';
import { Access } from '../http/serves';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { openApiDocument } from './openapi-document';

@Controller()
export class OpenApiController {
  private document: object | null = null;

  constructor(@Inject(SETTINGS) private readonly settings: GatewaySettings) {}

  @Get('/api/docs-json')
  @HttpCode(200)
  @Access('public')
  read(): object {
    return (this.document ??= openApiDocument(this.settings.publicUrl));
  }
}
