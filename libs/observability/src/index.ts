export { createLogger, LimitedLog, silentLogger, type Logger, type LoggerOptions, type LogLevel } from './logger';
export { excerptOf, redactText, REDACTED_PATHS } from './redaction';
export { Health, type HealthCheck, type HealthChecks, type HealthOptions, type Readiness } from './health';
export { HealthServer, type HealthServerOptions } from './health-server';
export { createMetrics, type Counter, type Histogram, type Metrics, type Reading } from './metrics';
export {
  currentTraceparent,
  failSpan,
  inSpan,
  outsideOfSpans,
  startTracing,
  type SpanOptions,
  type Tracing,
  type TracingOptions,
} from './tracing';
