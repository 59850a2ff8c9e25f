import { seedDemo } from './seed';
import type { World } from '../launcher/bring-up';

export const demoWorld = (): World => ({
  ports: ['simulators'],
  environment: () => ({}),
  start: async () => undefined,
  seed: seedDemo,
  addresses: () => ({}),
  welcome: (address) => `Autoposter is running at ${address}`,
  mayMove: true,
});
