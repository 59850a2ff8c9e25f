import { Inject, Injectable } from '@nestjs/common';
import type { AllLogsResponse, BrowserLog, ProcessLogsQuery } from '@autoposter/contracts';
import { redactText } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { LOG_SOURCE } from '../bootstrap/systems';
import { isError, presentLine } from './log-line';
import type { LogSource, ProcessLine } from './log-source';

/** Errors are rare: this many lines are searched for them. */
const SEARCHED_LINES = 5000;

@Injectable()
export class LogsService {
  constructor(
    private readonly database: Database,
    @Inject(LOG_SOURCE) private readonly source: LogSource,
  ) {}

  async server(lines: number): Promise<string[]> {
    return this.shown(await this.source.tail('server', lines));
  }

  errors(lines: number): Promise<string[]> {
    return this.errorsOf('server', lines);
  }

  async processes({ type, lines }: ProcessLogsQuery): Promise<string[]> {
    return type === 'error' ? this.errorsOf('all', lines) : this.shown(await this.source.tail('all', lines));
  }

  async browser(lines: number): Promise<BrowserLog[]> {
    const entries = await this.database.read.browserLogs.last(lines);
    return entries.map(({ level, message, source, loggedAt }) => ({
      level: level as BrowserLog['level'],
      message,
      source,
      timestamp: loggedAt.toISOString(),
    }));
  }

  async all(lines: number): Promise<AllLogsResponse> {
    const [read, browserLogs] = await Promise.all([this.source.tail('server', SEARCHED_LINES), this.browser(lines)]);
    const [serverLogs, errorLogs] = await Promise.all([this.shown(read.slice(-lines)), this.shown(newestErrors(read, lines))]);
    return { success: true, serverLogs, browserLogs, errorLogs };
  }

  async takeBrowserEntries(entries: readonly BrowserLog[]): Promise<void> {
    await this.database.unitOfWork((uow) =>
      uow.browserLogs.add(
        entries.map(({ level, message, source, timestamp }) => ({
          level,
          message: redactText(message),
          source: source === null ? null : redactText(source),
          loggedAt: new Date(timestamp),
        })),
      ),
    );
  }

  async clear(actor: string): Promise<void> {
    await this.source.clear(new Date());
    await this.database.unitOfWork(async (uow) => {
      await uow.browserLogs.clear();
      await uow.audit.record({ actor, action: 'logs.clear' });
    });
  }

  /** Without lines, one line says where the logs are. */
  private async shown(lines: readonly ProcessLine[]): Promise<string[]> {
    if (lines.length > 0) return lines.map(presentLine);
    const text = await this.source.elsewhere();
    return text === null ? [] : [presentLine({ at: 0, process: 'gateway', fromErrorStream: false, text })];
  }

  private async errorsOf(scope: 'server' | 'all', lines: number): Promise<string[]> {
    return this.shown(newestErrors(await this.source.tail(scope, SEARCHED_LINES), lines));
  }
}

const newestErrors = (read: readonly ProcessLine[], lines: number): ProcessLine[] => read.filter(isError).slice(-lines);
