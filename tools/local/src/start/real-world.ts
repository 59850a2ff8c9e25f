import type { World } from '../launcher/bring-up';

export const realWorld = (): World => ({
  ports: [],
  environment: () => ({ NODE_ENV: 'production' }),
  start: async () => undefined,
  seed: async () => undefined,
  addresses: () => ({}),
  welcome: (address) => `Autoposter is running at ${address}. Stop it with Ctrl-C.`,
  mayMove: false,
});
