import { createMetrics } from './metrics';

jest.mock('@opentelemetry/sdk-node', () => {
  throw new Error('every exporter there is would be loaded with it');
});

describe('numbers of a process', () => {
  it('are told as text, without loading what sends traces', async () => {
    const metrics = createMetrics('gateway');
    metrics.counter('pipeline_posts', 'Posts.').add(2, { stage: 'ai' });
    metrics.gauge('pipeline_open', 'Open ones.', () => 3);
    const text = await metrics.text();
    expect(text).toMatch(/pipeline_posts(?:_total)?\{[^}]*stage="ai"[^}]*\} 2/u);
    expect(text).toMatch(/pipeline_open\S* 3/u);
  });
});
