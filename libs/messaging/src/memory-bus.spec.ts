import { describeEventBus, type BusHarness } from './event-bus.contract';
import { MemoryBroker, MemoryBus } from '@autoposter/testkit';

const makeHarness = async (): Promise<BusHarness> => {
  const broker = new MemoryBroker();
  return {
    open: async () => new MemoryBus(broker),
    kill: async (bus) => (bus as MemoryBus).kill(),
    inject: async (topic, key, text) => broker.append(topic, key, text),
    close: async () => undefined,
  };
};

describeEventBus('MemoryBus', makeHarness, { soonMs: 2_000, takeoverMs: 2_000, quietMs: 400 });
