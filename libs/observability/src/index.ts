export { createLogger, LimitedLog, silentLogger, type Logger } from './logger';
export { excerptOf, redactText } from './redaction';
export { Health, type HealthCheck, type HealthChecks } from './health';
export { HealthServer } from './health-server';
export { createMetrics, type Metrics } from './metrics';
export { currentTraceparent, failSpan, inSpan, startTracing } from './tracing';
