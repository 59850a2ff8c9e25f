import { z } from 'zod';
import { successOf } from './envelope.api';
import { defineRoutes } from './route';

const HEALTH_STATUSES = ['healthy', 'degraded', 'unhealthy'] as const;

/** `uptime` in seconds. */
const healthSchema = z.object({
  status: z.enum(HEALTH_STATUSES),
  database: z.enum(['connected', 'disconnected']),
  uptime: z.number().min(0),
});
export type Health = z.infer<typeof healthSchema>;

export const healthRoutes = defineRoutes({
  health: { method: 'GET', path: '/api/health', access: 'public', summary: 'Whether the product works', response: successOf(healthSchema) },
});
