import type { AllLogsResponse, BrowserLog, BrowserLogsResponse, LogLinesResponse } from '../api/logs.api';
import { SAMPLE_TIME } from './item.sample';

export const logLinesSample: LogLinesResponse = {
  success: true,
  logs: ['2026-11-21T09:00:00.000Z INFO gateway listening', '2026-11-21T09:00:01.000Z ERROR dmca-worker lost the database'],
};

export const browserLogSample: BrowserLog = { level: 'warn', message: 'Slow answer', source: '/admin/urls', timestamp: SAMPLE_TIME };
export const browserLogsSample: BrowserLogsResponse = { success: true, logs: [browserLogSample] };
export const allLogsSample: AllLogsResponse = {
  success: true,
  serverLogs: logLinesSample.logs,
  browserLogs: [browserLogSample],
  errorLogs: logLinesSample.logs.slice(1),
};
export const browserLogsBodySample = { batch: true, logs: [browserLogSample] };
export const linesQuerySample = { lines: '200' };
export const processLogsQuerySample = { lines: '200', type: 'error' };
