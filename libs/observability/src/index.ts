export { createLogger, silentLogger, type Logger, type LoggerOptions, type LogLevel } from './logger';
export { redactText, REDACTED_PATHS } from './redaction';
export { HealthServer, runChecks, type HealthCheck, type HealthChecks, type HealthServerOptions } from './health-server';
export { createMetrics, type Counter, type Histogram, type Metrics } from './metrics';
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
