import type { Attributes } from '@opentelemetry/api';
import type { node } from '@opentelemetry/sdk-node';
import type { Logger } from './logger';
import { excerptOf, MAX_REDACTED, redactText } from './redaction';

type ExportDone = Parameters<node.SpanExporter['export']>[1];

/** What asks are about is in their path; queries hold tokens, codes of sign-ins and signatures. */
const DROPPED = ['url.query', 'url.fragment', 'http.target'];
/** Matches addresses without a query as well: a text of many `://` is then read once and not once for each of them. */
const QUERY = /(:\/\/[^\s?#"'<>]*)(?:[?#][^\s"'<>]*)?/gu;

/** Cuts the query off every address in a text, and credentials that stand anywhere else. */
const cleanText = (text: string): string => redactText(excerptOf(text, MAX_REDACTED).replace(QUERY, '$1'));

/** Takes secrets out of spans on their way out of the process, whoever put them in, and tells once when they cannot be delivered. */
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
