import type { Attributes } from '@opentelemetry/api';
import type { node } from '@opentelemetry/sdk-node';
import type { Logger } from './logger';
import { excerptOf, MAX_REDACTED, redactText } from './redaction';

type ExportDone = Parameters<node.SpanExporter['export']>[1];

/** Queries contain tokens, sign-in codes and signatures; the path of a request suffices. */
const DROPPED = ['url.query', 'url.fragment', 'http.target'];
/** Also matches addresses without a query, so that a text of many `://` is scanned once only. */
const QUERY = /(:\/\/[^\s?#"'<>]*)(?:[?#][^\s"'<>]*)?/gu;

/** Removes the query of every address in a text, and credentials everywhere else. */
const cleanText = (text: string): string => redactText(excerptOf(text, MAX_REDACTED).replace(QUERY, '$1'));

/** Removes secrets from spans before they leave the process, and logs once when they cannot be delivered. */
export class CleanSpans implements node.SpanExporter {
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
