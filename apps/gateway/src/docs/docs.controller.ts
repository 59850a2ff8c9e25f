import { Controller, Get, Header, HttpCode, Inject } from '@nestjs/common';
import { Access } from '../http/api-route';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { openApiDocument } from './openapi-document';
import { openApiPage } from './openapi-page';

@Controller()
export class DocsController {
  private document: Record<string, unknown> | null = null;

  constructor(@Inject(SETTINGS) private readonly settings: GatewaySettings) {}

  @Get('/api/docs-json')
  @HttpCode(200)
  @Access('public')
  read(): Record<string, unknown> {
    return (this.document ??= openApiDocument(this.settings.publicUrl));
  }

  /** One page without scripts and external resources. */
  @Get('/api/docs')
  @HttpCode(200)
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Access('public')
  page(): string {
    return openApiPage(this.read());
  }
}
