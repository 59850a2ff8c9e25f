import { Controller } from '@nestjs/common';
import { api, type BrowserLogsBody, type LinesQuery, type ProcessLogsQuery } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { ValidBody, ValidQuery } from '../http/validation.pipe';
import { LogsService } from './logs.service';

@Controller()
export class LogsController {
  constructor(private readonly logs: LogsService) {}

  @ApiRoute(api.logs.server)
  async server(@ValidQuery() { lines }: LinesQuery) {
    return { success: true, logs: await this.logs.server(lines) };
  }

  @ApiRoute(api.logs.errors)
  async errors(@ValidQuery() { lines }: LinesQuery) {
    return { success: true, logs: await this.logs.errors(lines) };
  }

  @ApiRoute(api.logs.process)
  async processes(@ValidQuery() query: ProcessLogsQuery) {
    return { success: true, logs: await this.logs.processes(query) };
  }

  @ApiRoute(api.logs.browser)
  async browser(@ValidQuery() { lines }: LinesQuery) {
    return { success: true, logs: await this.logs.browser(lines) };
  }

  @ApiRoute(api.logs.all)
  all(@ValidQuery() { lines }: LinesQuery) {
    return this.logs.all(lines);
  }

  @ApiRoute(api.logs.sendBrowser)
  async sendBrowser(@ValidBody() body: BrowserLogsBody) {
    await this.logs.takeBrowserEntries(body.logs);
    return { success: true, message: 'Taken.' };
  }

  @ApiRoute(api.logs.clear)
  async clear(@Actor() actor: string) {
    await this.logs.clear(actor);
    return { success: true, message: 'Logs cleared.' };
  }
}
