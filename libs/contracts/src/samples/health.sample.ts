import type { Health } from '../api/health.api';

export const healthSample: Health = { status: 'healthy', database: 'connected', uptime: 93784 };
