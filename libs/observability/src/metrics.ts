import { ValueType, type Attributes, type Meter, type ObservableResult } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
// not from `sdk-node`, which loads every exporter: half a second and hundreds of files in each process
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

interface Counter {
  add(value: number, attributes?: Attributes): void;
}

interface Histogram {
  record(value: number, attributes?: Attributes): void;
}

type Reading = number | readonly { value: number; attributes: Attributes }[];

/** Numbers of one process. Names are `pipeline_<stage>_<what>_<unit>`; stage and outcome are never free text. */
export interface Metrics {
  counter(name: string, description: string): Counter;
  histogram(name: string, description: string, boundaries?: readonly number[]): Histogram;
  /** Read at each scrape; several readings differ in their attributes. */
  gauge(name: string, description: string, read: () => Reading | Promise<Reading>): void;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
}

export function createMetrics(service: string): Metrics {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer();
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    readers: [exporter],
  });
  const meter: Meter = provider.getMeter('autoposter');
  return {
    counter: (name, description) => meter.createCounter(name, { description }),
    histogram: (name, description, boundaries) =>
      meter.createHistogram(name, { description, ...(boundaries ? { advice: { explicitBucketBoundaries: [...boundaries] } } : {}) }),
    gauge: (name, description, read) => {
      const instrument = meter.createObservableGauge(name, { description, valueType: ValueType.DOUBLE });
      instrument.addCallback(async (result: ObservableResult) => {
        const reading = await read();
        if (typeof reading === 'number') result.observe(reading);
        else for (const { value, attributes } of reading) result.observe(value, attributes);
      });
    },
    text: async () => serializer.serialize((await exporter.collect()).resourceMetrics),
  };
}
