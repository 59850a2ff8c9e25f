import { Body, Controller, Query } from '@nestjs/common';
import {
  api,
  browserLogsBodySchema,
  linesQuerySchema,
  processLogsQuerySchema,
  type BrowserLogsBody,
  type LinesQuery,
  type ProcessLogsQuery,
} from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { valid } from '../http/zod.pipe';
import { LogsService } from './logs.service';

@Controller()
export class LogsController {
  constructor(private readonly logs: LogsService) {}

  @Serves(api.logs.server)
  async server(@Query(valid(linesQuerySchema)) { lines }: LinesQuery) {
    return { success: true, logs: await this.logs.server(lines) };
  }

  @Serves(api.logs.errors)
  async errors(@Query(valid(linesQuerySchema)) { lines }: LinesQuery) {
    return { success: true, logs: await this.logs.errors(lines) };
  }

  @Serves(api.logs.process)
  async processes(@Query(valid(processLogsQuerySchema)) query: ProcessLogsQuery) {
    return { success: true, logs: await this.logs.processes(query) };
  }

  @Serves(api.logs.browser)
  async browser(@Query(valid(linesQuerySchema)) { lines }: LinesQuery) {
    return { success: true, logs: await this.logs.browser(lines) };
  }

  @Serves(api.logs.all)
  all(@Query(valid(linesQuerySchema)) { lines }: LinesQuery) {
    return this.logs.all(lines);
  }

  @Serves(api.logs.sendBrowser)
  async sendBrowser(@Body(valid(browserLogsBodySchema)) body: BrowserLogsBody) {
    await this.logs.takeBrowserEntries(body.logs);
    return { success: true, message: 'Taken.' };
  }

  @Serves(api.logs.clear)
  async clear(@Actor() actor: string) {
    await this.logs.clear(actor);
    return { success: true, message: 'Logs cleared.' };
  }
}
