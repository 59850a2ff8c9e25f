import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import {
  type Attributes,
  context,
  type Context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { node } from '@opentelemetry/sdk-node';
import { type Logger, silentLogger } from './logger';
import { excerptOf, MAX_REDACTED, redactText } from './redaction';

type ExportDone = Parameters<node.SpanExporter['export']>[1];

/** Queries contain tokens, sign-in codes and signatures; the path of a request suffices. */
const DROPPED = ['url.query', 'url.fragment', 'http.target'];
/** Also matches addresses without a query, so that a text of many `://` is scanned once only. */
const QUERY = /(:\/\/[^\s?#"'<>]*)(?:[?#][^\s"'<>]*)?/gu;

/** Removes the query of every address in a text, and credentials everywhere else. */
const cleanText = (text: string): string => redactText(excerptOf(text, MAX_REDACTED).replace(QUERY, '$1'));

/** Removes secrets from spans before they leave the process, and logs once when they cannot be delivered. */
class CleanSpans implements node.SpanExporter {
  private failing = false;

  constructor(
    private readonly exporter: node.SpanExporter,
    private readonly logger: Logger,
  ) {}

  export(spans: node.ReadableSpan[], done: ExportDone): void {
    for (const span of spans) clean(span);
    this.exporter.export(spans, (result) => {
      const failed = result.code !== 0;
      if (failed && !this.failing) this.logger.warn({ error: result.error }, 'spans cannot be delivered; they are dropped');
      this.failing = failed;
      done(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

function clean(span: node.ReadableSpan): void {
  cleanAttributes(span.attributes);
  for (const event of span.events) if (event.attributes) cleanAttributes(event.attributes);
  if (span.status.message !== undefined) span.status.message = cleanText(span.status.message);
}

function cleanAttributes(attributes: Attributes): void {
  for (const name of DROPPED) delete attributes[name];
  for (const [name, value] of Object.entries(attributes)) if (typeof value === 'string') attributes[name] = cleanText(value);
}

interface TracingOptions {
  service: string;
  /** Base address of a collector of OTLP over HTTP (`/v1/traces` is appended); `null` starts and loads nothing. */
  endpoint: string | null;
  /** Which incoming requests get a span, by their path without its query; by default none. */
  requests?: (path: string) => boolean;
  logger?: Logger;
}

interface Tracing {
  /** Sends the remaining spans, for at most three seconds, and removes all hooks. Never rejects. */
  stop(): Promise<void>;
}

const STOP_WITHIN_MS = 3000;

/** Modules that are loaded long before tracing starts; requiring them again lets the instrumentations patch them. */
const INSTRUMENTED = ['http', 'https', 'pg', 'pg-pool'];

const TRACEPARENT = /^00-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/u;

/**
 * Starts sending spans of this process to a collector: its attempts and steps, the requests it serves, and their database queries and HTTP
 * requests. An unavailable collector costs spans and one line in the log, nothing else.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { endpoint, service, logger = silentLogger } = options;
  if (endpoint === null) return { stop: () => Promise.resolve() };
  const [{ node, resources }, { OTLPTraceExporter }, { HttpInstrumentation }, { PgInstrumentation }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/instrumentation-http'),
    import('@opentelemetry/instrumentation-pg'),
  ]);
  const exporter = new CleanSpans(new OTLPTraceExporter({ url: `${endpoint.replace(/(?<!\/)\/+$/u, '')}/v1/traces` }), logger);
  const provider = new node.NodeTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new node.BatchSpanProcessor(exporter)],
  });
  provider.register();
  const instrumentations = [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: (request) => !options.requests?.(pathOf(request)),
      requireParentforOutgoingSpans: true,
      applyCustomAttributesOnSpan: (span, request) => nameByRoute(span, request),
    }),
    new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
  ];
  const load = createRequire(__filename);
  for (const name of INSTRUMENTED) {
    try {
      load(name);
    } catch {
      // a program without this module has nothing to trace in it
    }
  }
  logger.info({ endpoint }, 'spans are sent to a collector');
  return {
    stop: async () => {
      for (const instrumentation of instrumentations) instrumentation.disable();
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, STOP_WITHIN_MS)));
      await Promise.race([provider.shutdown().catch(() => undefined), enough]);
      clearTimeout(timer);
      stopUsingIt();
    },
  };
}

function stopUsingIt(): void {
  trace.disable();
  context.disable();
  propagation.disable();
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').replace(/[?#].*$/su, '');

/** The router stores the matched pattern on the request; ids would make useless span names. */
function nameByRoute(span: Span, request: object): void {
  const { method, route } = request as { method?: string; route?: { path?: unknown } };
  if (typeof route?.path !== 'string') return;
  span.setAttribute('http.route', route.path);
  span.updateName(`${method ?? 'GET'} ${route.path}`);
}

/** `traceparent` of the active span, for work that continues in another process (W3C Trace Context, version 00); `null` without one. */
export function currentTraceparent(): string | null {
  const open = trace.getActiveSpan()?.spanContext();
  if (open === undefined || !isSpanContextValid(open)) return null;
  return `00-${open.traceId}-${open.spanId}-${open.traceFlags.toString(16).padStart(2, '0')}`;
}

interface SpanOptions {
  /** `traceparent` of the parent; `null` starts a new trace. By default the active span. */
  parent?: string | null;
  attributes?: Attributes;
}

/** Runs the work inside a span; a rejection marks the span as failed and is rethrown. Nearly free unless tracing was started. */
export async function inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result> {
  const from = options.parent === undefined ? context.active() : contextOf(options.parent);
  return trace.getTracer('autoposter').startActiveSpan(name, { attributes: options.attributes ?? {} }, from, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, error instanceof Error ? error.message : 'unknown error');
      throw error;
    } finally {
      span.end();
    }
  });
}

export function failSpan(span: Span, message: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

function contextOf(traceparent: string | null): Context {
  const parts = TRACEPARENT.exec(traceparent ?? '')?.groups;
  if (!parts) return ROOT_CONTEXT;
  const { traceId = '', spanId = '', flags = '' } = parts;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true });
}
