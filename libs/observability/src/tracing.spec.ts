import type { node } from '@opentelemetry/sdk-node';
import { currentTraceparent, failSpan, inSpan, startTracing } from './tracing';

const mockLoaded: string[] = [];
const mockCounted = (name: string): unknown => {
  mockLoaded.push(name);
  return jest.requireActual(name);
};
const mockCollector = { addresses: [] as string[], spans: [] as node.ReadableSpan[], away: false };

jest.mock('@opentelemetry/sdk-node', () => mockCounted('@opentelemetry/sdk-node'));
jest.mock('@opentelemetry/instrumentation-http', () => mockCounted('@opentelemetry/instrumentation-http'));
jest.mock('@opentelemetry/instrumentation-pg', () => mockCounted('@opentelemetry/instrumentation-pg'));
// the real exporter uses dynamic imports that Jest does not support
jest.mock('@opentelemetry/exporter-trace-otlp-http', () => {
  mockLoaded.push('@opentelemetry/exporter-trace-otlp-http');
  return {
    OTLPTraceExporter: class implements node.SpanExporter {
      constructor({ url }: { url: string }) {
        mockCollector.addresses.push(url);
      }

      export(spans: node.ReadableSpan[], done: Parameters<node.SpanExporter['export']>[1]): void {
        if (!mockCollector.away) mockCollector.spans.push(...spans);
        done({ code: mockCollector.away ? 1 : 0 });
      }

      shutdown(): Promise<void> {
        return Promise.resolve();
      }
    },
  };
});

describe('tracing without a collector', () => {
  it('loads nothing, opens no spans and lets work through', async () => {
    const tracing = await startTracing({ service: 'gateway', endpoint: null });
    expect(await inSpan('work', {}, () => Promise.resolve(currentTraceparent()))).toBeNull();
    await expect(inSpan('work', {}, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
    await tracing.stop();
    expect(mockLoaded).toEqual([]);
  });
});

describe('tracing with a collector', () => {
  beforeEach(() => Object.assign(mockCollector, { addresses: [], spans: [], away: false }));

  const named = (name: string): node.ReadableSpan => {
    const found = mockCollector.spans.find((span) => span.name === name);
    if (!found) throw new Error(`no span ${name} was sent`);
    return found;
  };

  it('sends spans under one trace, across a hand-over', async () => {
    const tracing = await startTracing({ service: 'gateway', endpoint: 'http://127.0.0.1:4318/' });
    const handedOver = await inSpan('request', {}, () => Promise.resolve(currentTraceparent()));
    expect(currentTraceparent()).toBeNull();
    await inSpan('run', { parent: handedOver }, () => inSpan('run.step', {}, () => Promise.resolve()));
    await expect(inSpan('alone', { parent: 'no traceparent' }, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await tracing.stop();
    expect(mockCollector.addresses).toEqual(['http://127.0.0.1:4318/v1/traces']);
    const request = named('request').spanContext();
    expect(handedOver).toBe(`00-${request.traceId}-${request.spanId}-01`);
    expect(named('run').parentSpanContext).toMatchObject({ traceId: request.traceId, spanId: request.spanId });
    expect(named('run.step').parentSpanContext).toMatchObject({ traceId: request.traceId, spanId: named('run').spanContext().spanId });
    expect(named('alone').spanContext().traceId).not.toBe(request.traceId);
    expect(named('alone').status).toEqual({ code: 2, message: 'refused' });
    expect(named('request').resource.attributes).toMatchObject({ 'service.name': 'gateway' });
  });

  it('exports no query and no secret', async () => {
    const tracing = await startTracing({ service: 'gateway', endpoint: 'http://127.0.0.1:4318' });
    const attributes = { 'url.full': 'http://x.example/cb?code=s3cret-code', 'url.path': '/cb', 'url.query': 'sig=s3cret-sig' };
    await inSpan('asking', { attributes }, (span) => {
      span.addEvent('exception', { 'exception.message': 'postgresql://user:s3cret-password@127.0.0.1/db' });
      failSpan(span, 'GET https://x.example/a/b?anything=s3cret-any was refused: Bearer s3cret-bearer');
      return Promise.resolve();
    });
    await tracing.stop();
    const { attributes: sent, status, events } = named('asking');
    expect(sent).toEqual({ 'url.full': 'http://x.example/cb', 'url.path': '/cb' });
    expect(status.message).toBe('GET https://x.example/a/b was refused: Bearer [redacted]');
    expect(JSON.stringify(events)).not.toContain('s3cret');
  });

  it('continues while the collector is unreachable, and ends on stop', async () => {
    mockCollector.away = true;
    const warn = jest.fn();
    const logger = { info: jest.fn(), warn, error: jest.fn(), debug: jest.fn() };
    const tracing = await startTracing({ service: 'gateway', endpoint: 'http://127.0.0.1:4318', logger });
    expect(await inSpan('work', {}, () => Promise.resolve('done'))).toBe('done');
    await tracing.stop();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(await inSpan('after', {}, () => Promise.resolve(currentTraceparent()))).toBeNull();
  });
});
