import { z } from 'zod';
import { LIMITS } from '../limits';
import { acknowledgedSchema, momentSchema } from './envelope.api';
import { defineRoutes, get, post } from './route';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const most = Math.max(...LIMITS.logs.lines);

export const linesQuerySchema = z.object({ lines: z.coerce.number().int().min(1).max(most).default(LIMITS.logs.defaultLines) });
export type LinesQuery = z.infer<typeof linesQuerySchema>;
export const LINES_CHOICES: readonly number[] = LIMITS.logs.lines;

export const processLogsQuerySchema = linesQuerySchema.extend({ type: z.enum(['out', 'error']).default('out') });
export type ProcessLogsQuery = z.infer<typeof processLogsQuerySchema>;

/** An entry of the browser's own log. `source` is the path of the page. */
const browserLogSchema = z.object({
  level: z.enum(LOG_LEVELS),
  message: z.string().max(4000),
  source: z.string().max(500).nullable().default(null),
  timestamp: momentSchema,
});
export type BrowserLog = z.infer<typeof browserLogSchema>;

export const browserLogsBodySchema = z.strictObject({ batch: z.literal(true), logs: z.array(browserLogSchema).min(1).max(100) });
export type BrowserLogsBody = z.infer<typeof browserLogsBodySchema>;

/** Lines, oldest first. */
const logLinesResponseSchema = z.object({ success: z.literal(true), logs: z.array(z.string()), error: z.string().optional() });
export type LogLinesResponse = z.infer<typeof logLinesResponseSchema>;
const browserLogsResponseSchema = z.object({
  success: z.literal(true),
  logs: z.array(browserLogSchema),
  error: z.string().optional(),
});
export type BrowserLogsResponse = z.infer<typeof browserLogsResponseSchema>;
const allLogsResponseSchema = z.object({
  success: z.literal(true),
  serverLogs: z.array(z.string()),
  browserLogs: z.array(browserLogSchema),
  errorLogs: z.array(z.string()),
});
export type AllLogsResponse = z.infer<typeof allLogsResponseSchema>;

const lines = { query: linesQuerySchema, response: logLinesResponseSchema };

export const logsRoutes = defineRoutes({
  server: get('/api/logs/server-logs', 'Lines of the server log', lines),
  errors: get('/api/logs/error-logs', 'Lines of the server log that tell an error', lines),
  process: get('/api/logs/pm2-logs', 'Lines of all processes', { ...lines, query: processLogsQuerySchema }),
  browser: get('/api/logs/browser-logs', 'Entries of the browser log', { ...lines, response: browserLogsResponseSchema }),
  all: get('/api/logs/all-logs', 'Server, browser and error log at once', { ...lines, response: allLogsResponseSchema }),
  sendBrowser: {
    method: 'POST',
    path: '/api/logs/browser-logs',
    access: 'loopback',
    summary: 'Takes a batch of browser entries, from this machine only',
    body: browserLogsBodySchema,
    // 100 entries of 4,500 characters, most of them ASCII
    maxBodyBytes: 1024 * 1024,
    response: acknowledgedSchema,
  },
  clear: post('/api/logs/clear-logs', 'Clears the local logs', { response: acknowledgedSchema }),
});
